// What every page of the playground begins with: the theme, and the parts that are loaded.

import { connect } from '/server/client.mjs';
import { loadCatalogue } from './fault/catalogue.js';
import { BASE, loadProduct } from './product.js';
import { loadDeclarations } from './request/declarations.js';
import { themeButton } from './theme.js';

/** @param {(parts: { product: object, server: object, catalogue: object[], declarations: Map }) => void} build */
export async function startPage(build) {
  themeButton(document.getElementById('theme'));
  skipLink(document.querySelector('.skip'));
  try {
    const [product, server, catalogue, declarations] = await Promise.all([
      loadProduct(), connect(location.origin), loadCatalogue(), loadDeclarations(BASE),
    ]);
    build({ product, server, catalogue, declarations });
    document.documentElement.dataset.ready = 'true';
  } catch (error) {
    const notice = document.getElementById('notice');
    notice.textContent = error.message;
    notice.hidden = false;
    for (const control of document.querySelectorAll('main button')) control.disabled = true;
  }
}

/** Moves the focus without touching the address, whose fragment names a case. */
function skipLink(link) {
  link.addEventListener('click', (event) => {
    event.preventDefault();
    const target = document.querySelector(link.hash);
    target.focus();
    target.scrollIntoView();
  });
}
