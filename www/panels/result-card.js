// What the caller got: the value or the error, with every field that says something, and the attempts as a table.

import { h } from '../element.js';
import { bytes, capital, duration, plural } from '../format.js';

const OUTCOMES = {
  'not-sent': 'Nothing was sent: repeating it is safe.',
  answered: 'The server answered every attempt itself.',
  unknown: 'The server may have acted: look before you repeat a write.',
};
const STOPS = {
  limit: 'retry.limit is used up',
  method: 'the method is not idempotent',
  body: 'the body cannot be sent again',
  deadline: 'no time is left for another attempt',
  'retry-after': 'the server asked for too long a wait',
  circuit: 'the circuit of this origin is open',
  budget: 'too many calls to this origin are being retried',
  queue: 'there was no place for it in the queue',
  policy: 'this kind of failure is not retried',
  pagehide: 'the page was being left',
};
const VALUE_LENGTH = 2000;

export class ResultCard {
  /** @param {{ attempts?: boolean }} parts whether the attempts are listed */
  constructor({ attempts = true } = {}) {
    this.attempts = attempts;
    this.element = h('div', {}, h('p', { class: 'hint' }, 'The value or the error of the call.'));
  }

  pending() {
    this.element.replaceChildren(h('p', { class: 'hint' }, 'Not settled yet.'));
  }

  /**
   * @param {object} result of the run
   * @param {object | undefined} info `errorInfo` of the error
   * @param {import('../draw/timeline.js').Timeline | undefined} timeline of the call
   * @param {string[] | undefined} verdict the differences from what is right
   */
  show(result, info, timeline, verdict) {
    const parts = result.ok ? this.#value(result, timeline) : this.#error(result, info);
    this.element.replaceChildren(...parts, ...(this.attempts ? attemptTable(timeline, info) : []), ...(verdict ? [judged(verdict)] : []));
  }

  /** What the bare fetch did, below the rest. */
  showBare(bare) {
    this.bare ??= h('div', { class: 'bare-result' });
    const text = bare.end === undefined ? 'Still pending.' : `${bare.text} After ${duration(bare.end)}.`;
    this.bare.replaceChildren(h('h3', {}, 'Bare fetch'), h('p', {}, text));
    if (this.bare.parentNode !== this.element.parentNode) this.element.after(this.bare);
  }

  clearBare() {
    this.bare?.remove();
  }

  #value({ value, elapsed }, timeline) {
    const { end } = timeline ?? {};
    const status = end?.status === undefined ? 'Success' : `Status ${end.status}`;
    return [
      headline('ok', status, `after ${duration(elapsed)}${end ? `, ${plural(end.attempts, 'attempt')}` : ''}`),
      h('pre', { class: 'value', tabIndex: 0, 'aria-label': 'The value' }, valueText(value)),
    ];
  }

  #error({ error, elapsed }, info) {
    if (!info) return [headline('failed', error?.name ?? 'Error', `after ${duration(elapsed)}`), h('p', {}, String(error))];
    const [what, advice] = split(error.message);
    const fields = [
      ['phase', info.phase],
      ['outcome', info.outcome, OUTCOMES[info.outcome]],
      ['retryStopped', info.retryStopped, STOPS[info.retryStopped]],
      ['limit', info.limit === undefined ? undefined : limit(info)],
      ['retryAfterMs', info.retryAfterMs],
      ['hint', info.hint],
      ['bytesReceived', info.bytesReceived],
      ['cause', info.cause === undefined ? undefined : String(info.cause)],
      ['data', info.data === undefined ? undefined : valueText(info.data) || '(empty)'],
    ];
    return [
      headline('failed', info.code, `${error.name}, after ${duration(elapsed)}`),
      h('p', { class: 'message' }, what),
      advice ? h('p', { class: 'advice' }, h('strong', {}, 'Next: '), advice) : '',
      h('dl', { class: 'facts' }, ...fields.filter(([, value]) => value !== undefined).flatMap(([name, value, meaning]) => [
        h('dt', { class: 'mono' }, name),
        h('dd', {}, h('span', { class: 'mono' }, String(value)), meaning && h('small', {}, meaning)),
      ])),
    ];
  }
}

function headline(state, title, rest) {
  return h('p', { class: 'headline', 'data-state': state }, h('strong', {}, title), ' ', h('span', {}, rest));
}

/** A message of the package is what happened; then what to do next. */
function split(message) {
  const end = message.indexOf('; ');
  return end === -1 ? [capital(message)] : [`${capital(message.slice(0, end))}.`, `${message.slice(end + 2)}.`];
}

function limit({ code, limit: value }) {
  return code === 'RESPONSE_TOO_LARGE' ? bytes(value) : duration(value);
}

function valueText(value) {
  let text;
  if (value instanceof Response) text = `Response { status: ${value.status}, bodyUsed: ${value.bodyUsed} }`;
  else if (value instanceof Uint8Array) text = `Uint8Array(${value.length})`;
  else if (typeof value === 'string') text = value;
  else text = JSON.stringify(value, null, 2) ?? String(value);
  return text.length > VALUE_LENGTH ? `${text.slice(0, VALUE_LENGTH)}… (${text.length} characters)` : text;
}

/** From the events; an error without events has its own list. */
function attemptTable(timeline, info) {
  const attempts = timeline?.attempts.map(({ attempt, ...rest }) => ({ number: attempt, ...rest }))
    ?? info?.attempts.map(({ elapsedMs, ...rest }) => ({ ...rest, attemptMs: elapsedMs })) ?? [];
  if (attempts.length === 0) return [];
  const head = ['#', 'Sent at', 'Took', 'Ended with', 'Phase', 'Outcome'];
  return [h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Attempts' },
    h('table', {},
      h('thead', {}, h('tr', {}, ...head.map((name) => h('th', { scope: 'col' }, name)))),
      h('tbody', {}, ...attempts.map((one) => h('tr', {}, ...[
        String(one.number), duration(one.startMs), duration(one.attemptMs), ended(one), one.phase, one.outcome,
      ].map((text) => h('td', {}, text)))))))];
}

function ended({ code, status }) {
  if (code === undefined) return String(status ?? 'ok');
  return status === undefined ? code : `${code} (${status})`;
}

function judged(differences) {
  if (differences.length === 0) {
    return h('p', { class: 'verdict', 'data-state': 'ok' }, 'As the scenario says it must be.');
  }
  return h('div', { class: 'verdict', 'data-state': 'failed' }, h('p', {}, 'Not as the scenario says it must be:'),
    h('ul', {}, ...differences.map((one) => h('li', {}, one))));
}
