// Observers: told what happens, and never able to fail a call.

let queue;

/** Calls an observer. What is raised while one runs is delivered after it has returned. */
export function observe(observer, ...told) {
  if (queue) {
    queue.push([observer, told]);
    return;
  }
  queue = [[observer, told]];
  try {
    for (const [next, args] of queue) {
      try {
        next(...args)?.then?.(undefined, report);
      } catch (error) {
        report(error);
      }
    }
  } finally {
    queue = undefined;
  }
}

/** What is thrown by a function that can fail no call. */
export function report(error) {
  try {
    if (globalThis.reportError) globalThis.reportError(error);
    else console.error(error);
  } catch {
    // There is nobody left to tell.
  }
}
