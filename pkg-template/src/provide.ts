// Lists what the facade provides to the optional chunks.

import { reportThrown, supply } from './attempt.js';
import { fetchBy, shortcut } from './client.js';
import { errorInfo, errorWithoutCall, is, isRequest, isResponse } from './errors.js';
import { errorOf, lateError, outcomeOf } from './failure.js';
import { CIRCUIT_STATES, CODES, METHODS, OPTIONS } from './generated.js';
import { isKey } from './headers.js';
import { lengthOf } from './response-head.js';
import { isIdempotent } from './idempotency.js';
import { refusal, shown } from './invalid-option.js';
import { keep, keyOf, originOf } from './resource-ids.js';
import { engines, openCalls } from './live.js';
import { newCounts, note, noteTimeout } from './metrics.js';
import { bodyOf, drop } from './native-body.js';
import { readFailure } from './decode.js';
import { observe } from './observers.js';
import { nextShared } from './options.js';
import { afterCall } from './post-call.js';
import { promised } from './promised.js';
import { keepReset, setHeaders, takeRequest } from './request.js';
import { DEMAND } from './retry.js';
import { bytesOf, hasBody } from './upload.js';
import { check, isAbsolute } from './url.js';

/** The functions and tables that the optional chunks may use. */
export interface Provided {
  readonly afterCall_: typeof afterCall;
  readonly errorWithoutCall_: typeof errorWithoutCall;
  readonly lateError_: typeof lateError;
  readonly shortcut_: typeof shortcut;
  readonly bodyOf_: typeof bodyOf;
  readonly bytesOf_: typeof bytesOf;
  readonly codes_: typeof CODES;
  readonly methods_: typeof METHODS;
  readonly options_: typeof OPTIONS;
  readonly check_: typeof check;
  readonly drop_: typeof drop;
  readonly demand_: typeof DEMAND;
  readonly errorInfo_: typeof errorInfo;
  readonly errorOf_: typeof errorOf;
  readonly fetchBy_: typeof fetchBy;
  readonly hasBody_: typeof hasBody;
  readonly engines_: typeof engines;
  readonly is_: typeof is;
  readonly isAbsolute_: typeof isAbsolute;
  readonly isIdempotent_: typeof isIdempotent;
  readonly isKey_: typeof isKey;
  readonly isRequest_: typeof isRequest;
  readonly isResponse_: typeof isResponse;
  readonly keep_: typeof keep;
  readonly keepReset_: typeof keepReset;
  readonly keyOf_: typeof keyOf;
  readonly lengthOf_: typeof lengthOf;
  readonly newCounts_: typeof newCounts;
  readonly nextShared_: typeof nextShared;
  readonly note_: typeof note;
  readonly noteTimeout_: typeof noteTimeout;
  readonly observe_: typeof observe;
  readonly openCalls_: typeof openCalls;
  readonly originOf_: typeof originOf;
  readonly outcomeOf_: typeof outcomeOf;
  readonly promised_: typeof promised;
  readonly readFailure_: typeof readFailure;
  readonly refusal_: typeof refusal;
  readonly reportThrown_: typeof reportThrown;
  readonly setHeaders_: typeof setHeaders;
  readonly supply_: typeof supply;
  readonly takeRequest_: typeof takeRequest;
  readonly shown_: typeof shown;
  readonly states_: typeof CIRCUIT_STATES;
}

export default {
  afterCall_: afterCall,
  errorWithoutCall_: errorWithoutCall,
  lateError_: lateError,
  shortcut_: shortcut,
  bodyOf_: bodyOf,
  bytesOf_: bytesOf,
  codes_: CODES,
  methods_: METHODS,
  options_: OPTIONS,
  check_: check,
  drop_: drop,
  demand_: DEMAND,
  errorInfo_: errorInfo,
  errorOf_: errorOf,
  fetchBy_: fetchBy,
  hasBody_: hasBody,
  engines_: engines,
  is_: is,
  isAbsolute_: isAbsolute,
  isIdempotent_: isIdempotent,
  isKey_: isKey,
  isRequest_: isRequest,
  isResponse_: isResponse,
  keep_: keep,
  keepReset_: keepReset,
  keyOf_: keyOf,
  lengthOf_: lengthOf,
  newCounts_: newCounts,
  nextShared_: nextShared,
  note_: note,
  noteTimeout_: noteTimeout,
  observe_: observe,
  openCalls_: () => openCalls(),
  originOf_: originOf,
  outcomeOf_: outcomeOf,
  promised_: promised,
  readFailure_: readFailure,
  refusal_: refusal,
  reportThrown_: reportThrown,
  setHeaders_: setHeaders,
  supply_: supply,
  takeRequest_: takeRequest,
  shown_: shown,
  states_: CIRCUIT_STATES,
} satisfies Provided as Provided;
