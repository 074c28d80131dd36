// The numbers of this moment.

import { h } from '../element.js';
import { budgetReading, circuitReading, flightReading, latencyReading, queueReading, sparedReading } from './readings.js';

const GAUGES = {
  circuit: ['Circuit', circuitReading],
  flight: ['In flight', flightReading],
  queue: ['Waiting', queueReading],
  budget: ['Retries', budgetReading],
  requests: ['Requests sent', sparedReading],
  latency: ['Median of an attempt', latencyReading],
};

export class Gauges {
  /** @param {object} options of the client */
  constructor(options) {
    this.options = options;
    this.gauges = Object.entries(GAUGES).map(([key, [name, read]]) => {
      const value = h('span', { class: 'value-now' }, '–');
      const note = h('span', { class: 'note' });
      const element = h('div', { class: 'gauge', 'data-gauge': key }, h('dt', {}, name), h('dd', {}, value, note));
      return { element, read, value, note };
    });
    this.element = h('dl', { class: 'gauges' }, ...this.gauges.map(({ element }) => element));
  }

  /** @param {object} metrics as `api.metrics()` gives them */
  show(metrics) {
    for (const { element, read, value, note } of this.gauges) {
      const reading = read(metrics, this.options);
      value.textContent = reading.value;
      note.textContent = reading.note;
      element.dataset.value = reading.value;
    }
  }
}
