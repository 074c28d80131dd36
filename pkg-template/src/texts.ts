// Holds the long texts of error messages. The entries for development and for servers set them; a page in production has none to download,
// and its messages have the words of the code in their place.

import type { Phase } from '../errors.js';

export interface Texts {
  /** The description of each code, by its number. */
  readonly what_: readonly string[];
  /** The advice of a code. */
  readonly advice_: (code: number, phase: Phase | undefined) => string | undefined;
}

export let texts: Texts | undefined;

export function setTexts(given: Texts): void {
  texts = given;
}
