// Single keys as shortcuts. They can be turned off, since they get in the way of speech input and of some assistive
// technologies (WCAG 2.2, success criterion 2.1.4).

const STORED = 'steadfetch-playground-keys';

export class Keys {
  /**
   * @param {Record<string, () => void>} actions by key
   * @param {HTMLInputElement} checkbox whether they are on
   */
  constructor(actions, checkbox) {
    checkbox.checked = read() !== 'off';
    checkbox.addEventListener('change', () => write(checkbox.checked ? 'on' : 'off'));
    addEventListener('keydown', (event) => {
      if (!checkbox.checked || event.defaultPrevented || event.repeat || writing(event.target)) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const action = actions[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    });
  }
}

/** Whether keys mean text there. */
function writing(target) {
  return target.closest?.('input:not([type="checkbox"], [type="radio"]), select, textarea') !== null;
}

function read() {
  try {
    return localStorage.getItem(STORED);
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
    return null;
  }
}

function write(value) {
  try {
    localStorage.setItem(STORED, value);
  } catch {
    // As above.
  }
}
