// What every page of the playground begins with: the theme, the package, and the fault server.

import { connect } from '/server/client.mjs';
import { loadProduct } from './product.js';
import { themeButton } from './theme.js';

/**
 * @param {Record<string, () => Promise<unknown>>} loaders of what the page needs beside the package and the server
 * @param {(parts: { product: object, server: object }) => void} build gets what was loaded, by its name
 */
export async function startPage(loaders, build) {
  themeButton(document.getElementById('theme'));
  skipLink(document.querySelector('.skip'));
  try {
    const all = Object.entries({ product: loadProduct, server: () => connect(location.origin), ...loaders });
    const parts = await Promise.all(all.map(async ([name, load]) => [name, await load()]));
    build(Object.fromEntries(parts));
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
