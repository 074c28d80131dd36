import base from 'axios';

export const axios = {
  name: 'axios',
  // No retries of its own. Its fetch adapter, since the others never call fetch.
  make({ fetch, timeout }) {
    const client = base.create({
      adapter: 'fetch',
      env: { fetch },
      timeout,
      responseType: 'text',
      // Else it tries to parse text as JSON.
      transformResponse: (data) => data,
    });
    return async (url, controller) => {
      const response = await client.get(url, controller && { signal: controller.signal });
      return response.data;
    };
  },
};
