// Text with `code` in it, as nodes.

import { h } from './element.js';

export function prose(text) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? h('code', {}, part) : part));
}
