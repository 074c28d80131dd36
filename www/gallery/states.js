// How a case stands: the mark that is seen, and the words that are read.

export const STATES = {
  fresh: { mark: '', words: 'not run yet' },
  running: { mark: '…', words: 'running' },
  expected: { mark: '✓', words: 'as expected' },
  unexpected: { mark: '✕', words: 'not as expected' },
  skipped: { mark: '–', words: 'skipped' },
};

/** The state of several cases: the worst of them, or of those that have been run. */
export function together(states) {
  for (const state of ['running', 'unexpected', 'skipped', 'expected']) if (states.includes(state)) return state;
  return 'fresh';
}
