// What the facade lends to parts.js.

import { reportThrown } from './attempt.js';
import { errorOf } from './ending.js';
import { is } from './errors.js';
import { CIRCUIT_STATES, CODES, METHODS, OPTIONS } from './generated.js';
import { lengthOf } from './head.js';
import { instances } from './instance.js';
import { keep, keyOf, originOf } from './keys.js';
import { note } from './metrics.js';
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
  instances_: instances,
  is_: is,
  isIdempotent_: isIdempotent,
  keep_: keep,
  keyOf_: keyOf,
  lengthOf_: lengthOf,
  note_: note,
  observe_: observe,
  originOf_: originOf,
  readFailure_: readFailure,
  reportThrown_: reportThrown,
  setHeaders_: setHeaders,
  states_: CIRCUIT_STATES,
};
