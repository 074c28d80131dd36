// Makes DOM nodes. Text is always set as text, so nothing that a server sends can become markup.

/**
 * @param {string} tag
 * @param {Record<string, unknown>} [props] `class`, `data-*`, `aria-*` and `role` become attributes, `style` sets custom
 *   properties, all else is set as a property
 * @param {...(Node | string | null | undefined | false)} children
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (key === 'class') element.className = value;
    else if (key === 'style') style(element, value);
    else if (key === 'role' || key === 'for' || key.startsWith('aria-') || key.startsWith('data-')) {
      element.setAttribute(key, value);
    } else element[key] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Sets style properties one by one: a style attribute would be refused by the page's Content-Security-Policy. */
export function style(element, properties) {
  for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value);
}

let ids = 0;

/** An id for a label to refer to. */
export function uniqueId(prefix) {
  ids += 1;
  return `${prefix}-${ids}`;
}
