// Calls observers, which can fail no call.

/** A function of the caller's, which may give anything. */
type Observer<T extends unknown[]> = (...told: T) => unknown;

let queue: [observer: Observer<never[]>, told: unknown[]][] | undefined;

/** Calls an observer. Events that are raised while one runs are delivered after it has returned. */
export function observe<T extends unknown[]>(observer: Observer<T>, ...told: T): void {
  const next: [Observer<never[]>, T] = [observer, told];
  if (queue) {
    queue.push(next);
    return;
  }
  queue = [next];
  try {
    for (const [observer, told] of queue) {
      try {
        (observer(...(told as never[])) as PromiseLike<unknown> | undefined)?.then?.(undefined, report);
      } catch (error) {
        report(error);
      }
    }
  } finally {
    queue = undefined;
  }
}

/** Reports the error of a function that can fail no call. */
export function report(error: unknown): void {
  try {
    if (globalThis.reportError) globalThis.reportError(error);
    else console.error(error);
  } catch {
    // There is nowhere left to report it.
  }
}
