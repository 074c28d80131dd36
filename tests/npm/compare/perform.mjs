// One call of a fetch function, and all that its caller can see of it, as plain data.

import { argumentsOf } from './parts.mjs';

/** An error as code that handles it tells it from others. */
function told(error, controller) {
  const { aborted, reason } = controller.signal;
  // That `api.fetch` has the reason itself in every engine is a row of the table.
  if (aborted && (error === reason || (error?.name === 'AbortError' && reason.name === 'AbortError'))) return 'the reason';
  if (Object(error) !== error) return `thrown: ${error}`;
  return `${error instanceof DOMException ? 'DOMException' : error instanceof TypeError ? 'TypeError' : error instanceof SyntaxError ? 'SyntaxError' : 'other'} ${error.name}`;
}

/** @param {(what: string) => string} hide what differs between the two URLs */
function shownHead(response, hide) {
  const { status, statusText, ok, type, redirected, bodyUsed } = response;
  const headers = [...response.headers].filter(([name]) => name !== 'date');
  return { status, statusText, ok, type, redirected, bodyUsed, url: hide(response.url), headers: hide(JSON.stringify(headers)), hasBody: !!response.body };
}

async function shownValue(value) {
  if (value instanceof Blob) return `Blob ${value.type} ${await value.text()}`;
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return `${value.constructor.name} ${new TextDecoder().decode(value)}`;
  if (value instanceof FormData) return `FormData ${JSON.stringify([...value])}`;
  return JSON.stringify(value);
}

async function readBy(reader, onChunk) {
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += new TextDecoder().decode(value);
    onChunk();
  }
}

/**
 * @param {typeof fetch} send
 * @param {object} triple
 * @param {string} url
 * @returns {Promise<{ events: string[], head?: object }>}
 */
export async function perform(send, triple, url, hide) {
  const events = [];
  const { input, init, controller } = argumentsOf(triple, url);
  controller.signal.addEventListener('abort', () => events.push('abort event'));
  const attempt = async (what, run) => {
    try {
      events.push(`${what}: ${await run()}`);
    } catch (error) {
      events.push(`${what} rejected: ${told(error, controller)}`);
    }
  };
  let response;
  let promise;
  try {
    promise = send(input, init);
  } catch (error) {
    return { events: [`threw ${told(error, controller)}`] };
  }
  if (triple.signal === 'aborted at once') controller.abort();
  try {
    response = await promise;
    events.push('resolved');
  } catch (error) {
    events.push(`rejected: ${told(error, controller)}`);
    return { events, used: input.bodyUsed };
  }
  const head = shownHead(response, hide);
  if (triple.signal === 'aborted after headers') controller.abort();
  const abortInBody = () => triple.signal === 'aborted in the body' && controller.abort();
  const { read } = triple;
  const whole = async (of, how) => hide(await shownValue(await of[how]()));
  if (read === 'reader') {
    await attempt('reader', () => (response.body ? readBy(response.body.getReader(), abortInBody) : 'no body'));
  } else if (read === 'clone') {
    const copy = response.clone();
    const both = Promise.all([attempt('original', () => whole(response, 'text')), attempt('copy', () => whole(copy, 'text'))]);
    abortInBody();
    await both;
    events.sort();
  } else if (read === 'clone after') {
    const reading = attempt('text', () => whole(response, 'text'));
    await attempt('clone', () => typeof response.clone());
    abortInBody();
    await reading;
  } else if (read === 'cancel') {
    await attempt('cancel', () => (response.body ? response.body.cancel('enough') : 'no body'));
  } else if (read === 'twice') {
    await attempt('first', () => whole(response, 'text'));
    await attempt('second', () => whole(response, 'text'));
  } else if (read === 'both at once') {
    const both = Promise.all([attempt('one', () => whole(response, 'text')), attempt('other', () => whole(response, 'json'))]);
    abortInBody();
    await both;
    events.sort();
  } else if (typeof response[read] === 'function' || read !== 'bytes') {
    const reading = attempt(read, () => whole(response, read));
    abortInBody();
    await reading;
  }
  // Whether a body that was read stays locked is up to the platform.
  events.push(`bodyUsed: ${response.bodyUsed}${response.bodyUsed ? '' : `, locked: ${response.body?.locked}`}`);
  return { events, head, used: input.bodyUsed };
}
