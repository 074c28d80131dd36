import base from 'ky';

export const ky = {
  name: 'ky',
  // `totalTimeout` has no match: the one limit spans the attempts, each until its headers.
  make({ fetch, timeout, retries, delay }) {
    const client = base.create({ fetch, timeout, retry: { limit: retries, delay: (retry) => delay * 2 ** (retry - 1) } });
    return (url, controller) => client.get(url, controller && { signal: controller.signal }).text();
  },
};
