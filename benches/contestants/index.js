// Each contestant: a name, and `make`, which gives a function `(url, controller?) => Promise<text>`. The controller is the
// caller's. All get the same settings, as far as they have them:
//   fetch         in place of the platform's, by the contestant's own option
//   timeout       of an attempt (or of the whole, where there is but one), in milliseconds
//   totalTimeout  of the whole call
//   retries       after the first attempt
//   delay         backoff of the first retry, in milliseconds

import { axios } from './axios.js';
import { bare } from './bare.js';
import { ffetch } from './ffetch.js';
import { handWritten } from './hand-written.js';
import { ky } from './ky.js';
import { ofetch } from './ofetch.js';
import { steadfetch } from './steadfetch.js';
import { wretch } from './wretch.js';

/** @param {typeof import('steadfetch')} product the built package, its engine loaded */
export function contestants(product) {
  return [bare, handWritten, ...steadfetch(product), ky, axios, ofetch, wretch, ffetch];
}
