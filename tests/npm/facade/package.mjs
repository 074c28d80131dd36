// The package under test, in Node.

import { join } from 'node:path';

import { entry, fileUrl, packageDirectory } from '../harness/places.mjs';

export const steadfetch = await import(fileUrl(join(packageDirectory, entry('node'))));

/** What a promise rejects with. */
export async function rejection(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it was not rejected');
}
