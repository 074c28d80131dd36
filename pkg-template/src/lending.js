// What the facade lends to parts.js.

import { errorOf } from './ending.js';
import { is } from './errors.js';
import { CODES, METHODS, OPTIONS } from './generated.js';
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
  setHeaders_: setHeaders,
};
