import createClient from '@fetchkit/ffetch';

export const ffetch = {
  name: 'ffetch',
  make({ fetch, timeout, retries, delay }) {
    const client = createClient({
      fetchHandler: fetch,
      timeout,
      retries,
      retryDelay: ({ attempt }) => delay * 2 ** (attempt - 1),
    });
    return async (url, controller) => {
      const response = await client(url, controller && { signal: controller.signal });
      return response.text();
    };
  },
};
