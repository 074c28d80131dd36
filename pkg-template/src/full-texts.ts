// The long texts of error messages, for entries whose users read them while they develop.

import type { Texts } from './texts.js';

import { ADVICE, WHAT } from './generated.js';

export const fullTexts: Texts = {
  what_: WHAT,
  // The option repeats what timed out before its headers, and nothing else.
  advice_: (code, phase) => (phase === 'headers' ? ADVICE[code] : ADVICE[code]?.replace(', or see retry.retryOnTimeout', '')),
};
