// The parts of the gallery: those of the project's catalogue of faults, by the letter of their numbers.

export const SECTIONS = {
  A: 'Answers and errors',
  B: 'Cancelling',
  C: 'Time limits',
  D: 'Response bodies',
  E: 'Request bodies',
  F: 'Retries',
  G: 'Writes',
  H: 'Access tokens',
  I: 'Redirects and the browser',
  J: 'Circuit breaker',
  K: 'Queue',
};

/** Where scenarios without a number belong, by their group. */
const OF_GROUP = {
  answers: 'A',
  cors: 'A',
  requests: 'A',
  cancel: 'B',
  timeouts: 'C',
  bodies: 'D',
  retry: 'F',
  writes: 'G',
  redirects: 'I',
};

/** What fits nowhere, at the end. */
const OTHER = 'Z';

/** The letter of a family of the catalogue. */
export function letterOf({ numbers, group }) {
  const letter = numbers.charAt(0) || OF_GROUP[group];
  return letter in SECTIONS ? letter : OTHER;
}

export function titleOf(letter) {
  return SECTIONS[letter] ?? 'Further';
}
