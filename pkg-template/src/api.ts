// What the package exports, whatever the entry.

export { VERSION as version } from './generated.js';
export { createClient } from './client.js';
export {
  HTTPError,
  SteadfetchError,
  errorInfo,
  isAbortError,
  isHTTPError,
  isNetworkError,
  isSteadfetchError,
  isTimeoutError,
} from './errors.js';
export { init, ready } from './load.js';
export { callInfo } from './response.js';
export { retry } from './retry.js';
