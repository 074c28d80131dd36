// SVG nodes. Presentation attributes are no inline styles, so the page's Content-Security-Policy allows them.

const NAMESPACE = 'http://www.w3.org/2000/svg';

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}
