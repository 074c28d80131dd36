export const steadfetch = ({ createClient }) => [
  {
    name: 'steadfetch get',
    make(settings) {
      const api = client(createClient, settings);
      return (url, controller) => api.get(url, controller && { signal: controller.signal }).text();
    },
  },
  {
    name: 'steadfetch fetch',
    make(settings) {
      const api = client(createClient, settings);
      return async (url, controller) => {
        const response = await api.fetch(url, controller && { signal: controller.signal });
        return response.text();
      };
    },
  },
  {
    // What protects a server, turned on, with nothing to do.
    name: 'steadfetch guarded',
    make(settings) {
      const api = client(createClient, settings, { queue: { concurrency: 1_000 }, circuitBreaker: {} });
      return (url, controller) => api.get(url, controller && { signal: controller.signal }).text();
    },
  },
];

function client(createClient, { fetch, timeout, totalTimeout, retries, delay }, more) {
  return createClient({ fetch, timeout, totalTimeout, retry: { limit: retries, delay }, ...more });
}
