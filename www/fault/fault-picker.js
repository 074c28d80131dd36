// Chooses between a scenario of the project and a fault of one's own.

import { h } from '../element.js';
import { FaultForm } from './fault-form.js';
import { ScenarioPicker } from './scenario-picker.js';

export class FaultPicker {
  constructor(groups, change) {
    this.scenarios = new ScenarioPicker(groups, change);
    this.own = new FaultForm(change);
    const mode = (value, name, checked) => {
      const input = h('input', { type: 'radio', name: 'fault-mode', value, checked });
      input.addEventListener('change', () => {
        this.#show(value);
        change(this.value);
      });
      return h('label', {}, input, h('span', {}, name));
    };
    const known = mode('scenario', 'A known fault', true);
    this.known = known.querySelector('input');
    const modes = h('div', { class: 'segmented', role: 'radiogroup', 'aria-label': 'Kind of fault' }, known, mode('own', 'Your own', false));
    this.element = h('div', {}, modes, this.scenarios.element, this.own.element);
    this.#show('scenario');
  }

  /** The fault: a scenario, with expectations if it is one of the project's. */
  get value() {
    return this.current.value;
  }

  /** Chooses the scenario that the fragment of an address names; gives back whether it names one. */
  chooseNamed(fragment) {
    if (!this.scenarios.chooseNamed(fragment)) return false;
    this.known.checked = true;
    this.#show('scenario');
    return true;
  }

  #show(mode) {
    this.current = mode === 'own' ? this.own : this.scenarios;
    this.scenarios.element.hidden = mode === 'own';
    this.own.element.hidden = mode !== 'own';
  }
}
