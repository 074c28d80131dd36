// The form for a fault of one's own.

import { checkbox, number, select, text } from '../field.js';
import { h } from '../element.js';
import { BODIES, FAILURES, INITIAL, toScenario } from './settings.js';

export class FaultForm {
  #change;

  constructor(change) {
    this.#change = change;
    this.fields = {
      failure: select('What fails', FAILURES),
      failures: number('How many times', { min: 0, max: 99 }),
      always: checkbox('Every time'),
      failureStatus: number('With status', { min: 200, max: 599 }),
      retryAfter: text('Retry-After', { placeholder: 'seconds or a date' }),
      status: number('Status', { min: 200, max: 599 }),
      delay: number('Wait before the headers', { min: 0, max: 600_000, unit: 'ms' }),
      body: select('Body', BODIES),
      pieces: number('Pieces', { min: 1, max: 500 }),
      every: number('One every', { min: 0, max: 60_000, unit: 'ms' }),
      cors: checkbox('With CORS headers'),
    };
    for (const [name, field] of Object.entries(this.fields)) field.set(INITIAL[name]);
    const { failure, failures, always, failureStatus, retryAfter, status, delay, body, pieces, every, cors } = this.fields;
    const rows = (...fields) => h('div', { class: 'fields' }, ...fields.map((field) => field.element));
    const part = (legend, ...fields) => h('fieldset', {}, h('legend', {}, legend), rows(...fields));
    this.element = h('div', { class: 'own' },
      part('First', failure, failures, failureStatus, retryAfter, always),
      part('Then the answer', status, delay, body, pieces, every, cors));
    this.element.addEventListener('input', () => this.#changed());
    this.#show();
  }

  /** The fault as a scenario. */
  get value() {
    return toScenario(Object.fromEntries(Object.entries(this.fields).map(([name, field]) => [name, field.get()])));
  }

  #changed() {
    this.#show();
    this.#change(this.value);
  }

  /** Hides what does not apply. */
  #show() {
    const { failure, failures, always, failureStatus, retryAfter, body, pieces, every } = this.fields;
    const kind = failure.get();
    const shape = body.get();
    always.element.hidden = kind === 'none';
    failures.element.hidden = kind === 'none' || always.get();
    failureStatus.element.hidden = kind !== 'status';
    retryAfter.element.hidden = kind !== 'status';
    for (const field of [pieces, every]) field.element.hidden = shape === 'whole' || shape === 'empty';
  }
}
