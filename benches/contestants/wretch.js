import base from 'wretch';
import AbortAddon from 'wretch/addons/abort';
import { retry } from 'wretch/middlewares/retry';

export const wretch = {
  name: 'wretch',
  make({ fetch, timeout, retries, delay }) {
    const client = base()
      .fetchPolyfill(fetch)
      .addon(AbortAddon())
      .middlewares([retry({ maxAttempts: retries, delayTimer: delay, retryOnNetworkError: true })]);
    return (url, controller) => {
      const request = client.url(url);
      if (controller) return request.signal(controller).get().setTimeout(timeout, controller).text();
      return request.get().setTimeout(timeout).text();
    };
  },
};
