import { createFetch } from 'ofetch';

export const ofetch = {
  name: 'ofetch',
  make({ fetch, timeout, retries, delay }) {
    const client = createFetch({ fetch, defaults: { timeout, retry: retries, retryDelay: delay, responseType: 'text' } });
    return (url, controller) => client(url, controller && { signal: controller.signal });
  },
};
