// JavaScript literals as text: what is typed into the option fields, and what the code panel shows.

const WIDTH = 76;

/**
 * What a field means. Nothing typed is undefined, the default; what is no literal is taken as text. So a mistake, a number
 * in quotes for example, reaches the product as it is, and the product has to say what is wrong with it.
 */
export function parse(text) {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (trimmed === 'Infinity') return Infinity;
  const single = /^'([^'\\]*)'$/.exec(trimmed);
  if (single) return single[1];
  try {
    return JSON.parse(trimmed.includes('"') ? trimmed : trimmed.replaceAll("'", '"'));
  } catch {
    return trimmed;
  }
}

/** The text that gives this value again. */
export function unparse(value) {
  if (value === undefined) return '';
  return print(value, '', Infinity);
}

/** A value as source text, on one line if it fits. */
export function print(value, indent = '', width = WIDTH) {
  if (value === undefined) return 'undefined';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number' || value === null || typeof value === 'boolean') return String(value);
  if (value instanceof Source) return value.text;
  const inner = `${indent}  `;
  const items = Array.isArray(value)
    ? value.map((one) => print(one, inner, width))
    : Object.entries(value).map(([key, one]) => `${name(key)}: ${print(one, inner, width)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }'];
  if (items.length === 0) return Array.isArray(value) ? '[]' : '{}';
  const line = `${open}${items.join(', ')}${close}`;
  if (!line.includes('\n') && indent.length + line.length <= width) return line;
  return `${open.trim()}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close.trim()}`;
}

/** Source text that stands for itself, such as a function. */
export class Source {
  constructor(text) {
    this.text = text;
  }
}

function quote(text) {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function name(key) {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key);
}
