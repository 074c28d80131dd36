// The client of this page: what it is made with, as data and as text.

import { print } from '../literal.js';

export const OPTIONS = {
  timeout: 2_000,
  totalTimeout: 6_000,
  retry: { limit: 2, delay: 200 },
  retryBudget: { capacity: 10, ratio: 0.1, perSecond: 0.1 },
  circuitBreaker: { failureThreshold: 5, resetTimeout: 3_000, halfOpenSuccesses: 2 },
  queue: { concurrency: 4, limit: 20, timeout: 3_000 },
};

export const CODE = `const api = createClient(${print(OPTIONS, '', 44)});\n\napi.circuits();\napi.metrics();\n`;
