// What the facade lends to parts.js.

import { reportThrown } from './attempt.js';
import { errorOf } from './ending.js';
import { is } from './errors.js';
import { CODES, METHODS, OPTIONS } from './generated.js';
import { lengthOf } from './head.js';
import { readFailure } from './numbers.js';
import { observe } from './observers.js';
import { isIdempotent, setHeaders } from './request.js';
import { hasBody } from './upload.js';
import { check } from './url.js';

export default {
  codes_: CODES,
  methods_: METHODS,
  options_: OPTIONS,
  check_: check,
  errorOf_: errorOf,
  hasBody_: hasBody,
  is_: is,
  isIdempotent_: isIdempotent,
  lengthOf_: lengthOf,
  observe_: observe,
  readFailure_: readFailure,
  reportThrown_: reportThrown,
  setHeaders_: setHeaders,
};
