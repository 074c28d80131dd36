// Makes a promise of whatever a function of others returns or throws.

/** Of what a function gives, which may throw or give anything. */
export function promised<T>(make: () => T | PromiseLike<T>): Promise<T> {
  try {
    return Promise.resolve(make());
  } catch (error) {
    return Promise.reject(error);
  }
}
