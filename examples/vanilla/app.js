import { createClient } from 'steadfetch';

const api = createClient({
  baseUrl: '/api/',
  timeout: 3_000,
  retry: { limit: 2, delay: 300, statusCodes: [502, 503, 504] },
});

const explain = ({ code, outcome, attempts, retryStopped }) =>
  `${code}: outcome ${outcome}, attempts ${attempts.length}, no further retry: ${retryStopped ?? 'none due'}`;

class ProductList extends HTMLElement {
  #controller;

  constructor(name) {
    super();
    this.name = name;
  }

  async connectedCallback() {
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    this.textContent = 'Loading…';
    // A GET may be sent again: the client's `retry` decides when.
    const { success, data, error } = await api.get(`lists/${this.name}`, { signal }).result();
    if (signal.aborted) return;
    this.textContent = success ? data.map(({ name }) => name).join(', ') : explain(error);
  }

  // Aborts the request itself, in whatever state it is.
  disconnectedCallback() {
    this.#controller.abort();
  }
}
customElements.define('product-list', ProductList);

document.querySelector('nav').addEventListener('click', ({ target }) => {
  const { list } = target.dataset;
  if (list !== undefined) document.querySelector('main').replaceChildren(list && new ProductList(list));
});

document.querySelector('#order').addEventListener('click', async ({ target }) => {
  const output = document.querySelector('output');
  target.disabled = true;
  output.textContent = 'Ordering…';
  // A POST is sent once, whatever the client's `retry` says: only `outcome` tells what may have become of it.
  const { success, data, error } = await api.post('orders', { json: { product: 'Assam' } }).result();
  if (success) output.textContent = `Order ${data.number} is placed.`;
  else if (error.outcome === 'unknown') output.textContent = `Look at your orders before you try again. ${explain(error)}`;
  else output.textContent = explain(error);
  target.disabled = false;
});
