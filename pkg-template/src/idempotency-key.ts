// Adds the header of the option `idempotencyKey` to a write.

import type { ReadyCall } from './call-state.js';

import { LOOKUP_OF_CALL, WRITES_OF_CALL } from './features.js';
import { provided } from './provided.js';
import { typeName } from './type-name.js';

const KEY = 'idempotency-key';
/** 128 bits. */
const BYTES = 16;
/** A put, say, is idempotent already, and servers keep keys for writes that are not. */
const WRITE = /^(POST|PATCH)$/;

/** Adds the key, unless the caller's own headers have one. It is the same for every attempt. May throw what a callback throws. */
export function addKey(call: ReadyCall): void {
  const { config_: config, init_: init, method_: method, url_: url, input_: input } = call;
  const option = config.idempotencyKey;
  if (!option && !call.isKeyed_ && config.features_! & LOOKUP_OF_CALL) throw provided.refusal_('outcomeLookup needs an idempotencyKey');
  if (!option) return;
  if (!WRITE.test(method)) {
    if (config.features_! & WRITES_OF_CALL) throw provided.refusal_(`idempotencyKey is for POST and PATCH, not ${method}`);
    return;
  }
  if (call.isKeyed_) return;
  const headers = new Headers(init.headers ?? (input as Partial<Request>).headers);
  const key: unknown =
    typeof option === 'function' ? option({ url, method, headers: new Headers(headers), operation: config.operation }) : option === 'auto' ? random() : option;
  if (!provided.isKey_(key)) throw new TypeError(`idempotencyKey returned ${typeof key === 'string' ? 'a string that no header can have' : typeName(key)}`);
  // A function among the layers may still give one of its own.
  if (call.layersToAsk_) call.layersToAsk_ = [{ [KEY]: key }, ...call.layersToAsk_];
  headers.set(KEY, key);
  init.headers = headers;
  call.isKeyed_ = key;
}

/** A string as structured fields have it (draft-ietf-httpapi-idempotency-key-header). */
function random(): string {
  const digits = [...crypto.getRandomValues(new Uint8Array(BYTES))].map((byte) => byte.toString(16).padStart(2, '0'));
  return `"${digits.join('')}"`;
}
