// Lists the exports of the package, which are the same for every entry.

import type { Same } from './shapes.js';

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

type Declared = typeof import('../index.js');
type Exported = typeof import('./api.js');
/** Only a call makes errors: the declarations have no constructors. */
type Classes = 'SteadfetchError' | 'HTTPError';

export type Checked = Same<keyof Declared | keyof Exported, Declared, Exported & Pick<Declared, Classes>>;
