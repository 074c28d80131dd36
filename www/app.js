// Loads what the page needs, and starts it.

import { connect } from '/server/client.mjs';
import { loadCatalogue } from './fault/catalogue.js';
import { Playground } from './playground.js';
import { BASE, loadProduct } from './product.js';
import { loadDeclarations } from './request/declarations.js';
import { themeButton } from './theme.js';

const $ = (id) => document.getElementById(id);

themeButton($('theme'));
try {
  const [product, server, catalogue, declarations] = await Promise.all([
    loadProduct(), connect(location.origin), loadCatalogue(), loadDeclarations(BASE),
  ]);
  new Playground({ product, server, catalogue, declarations });
  document.documentElement.dataset.ready = 'true';
} catch (error) {
  $('notice').textContent = error.message;
  $('notice').hidden = false;
  for (const id of ['send', 'send-many', 'cancel', 'restore', 'copy-code']) $(id).disabled = true;
}
