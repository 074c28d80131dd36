/**
 * What a callback of `auth` is given. A call that goes through `fetch`, or has this `signal`, or is started before the
 * callback first awaits, gets no token and no place in a queue: it would wait for what waits for it. Browsers do not say
 * which function a later call belongs to, so a call of this client that has neither waits for the token, and ends with
 * `refreshTimeout`; the error says so.
 */
export interface AuthContext {
  /** Aborted when `refreshTimeout` has passed. */
  readonly signal: AbortSignal;
  /** `api.fetch` of the client, with its base URL, limits and retries, and with `signal` if you give none. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
}

/**
 * A token on every call, and its refresh. On a 401 the token is refreshed once for everybody, and each call is sent once more,
 * a POST too, since the server has refused it before it did anything. That spends no retry and waits for no backoff. A second
 * 401 is the answer.
 *
 * All clients that are given this very object share its token and its refresh, and so do the views made of them. Its functions
 * are called as its methods.
 *
 * On a server that renders pages make a client with an object of its own for each request: one for all of them would send the
 * token of one user for another.
 *
 * @example
 * const api = createClient({
 *   baseUrl: 'https://api.example.test/',
 *   auth: {
 *     getToken: () => localStorage.getItem('token'),
 *     async refreshToken({ fetch }) {
 *       const response = await fetch('token', { method: 'POST' });
 *       if (!response.ok) throw Object.assign(new Error('refused'), { status: response.status });
 *       const { token } = await response.json();
 *       localStorage.setItem('token', token);
 *       return token;
 *     },
 *   },
 * });
 */
export interface AuthOptions {
  /**
   * Gives the token, or null or undefined if there is none yet (then the call goes without). Asked before each send; calls
   * that start while it is thinking share what it says. Throwing, or taking longer than `refreshTimeout`, is CALLBACK_ERROR,
   * phase 'auth', not-sent. Left out: the session lives in a cookie, or in what `refreshToken` gives.
   *
   * @default undefined
   */
  getToken?: ((context: AuthContext) => string | null | undefined | Promise<string | null | undefined>) | undefined;
  /**
   * Renews the session. Gives the new token, or undefined (then `getToken` is asked for it; without `getToken` the cookie is
   * new), or null: the session is over. No call cancels it. If it fails, the calls that wait for it end with
   * AUTH_REFRESH_FAILED; the next call may try anew. An error with `status` 400, 401 or 403, or with `sessionLost: true`, says
   * that the session is over; any other one, such as a network error, does not.
   *
   * @default required
   */
  refreshToken: (context: AuthContext) => string | null | undefined | void | Promise<string | null | undefined | void>;
  /**
   * Whether a response calls for a refresh, in place of the status 401. Asked about each response of 400 or above that comes
   * from `origins`, with a clone, since many APIs say in the body why. What it does not read of that is cancelled when it
   * answers.
   *
   * @default undefined
   * @example { shouldRefresh: async (response) => (await response.json()).error === 'token_expired' }
   */
  shouldRefresh?: ((response: Response) => boolean | Promise<boolean>) | undefined;
  /**
   * The name of the header. A request that has it already, or that has Authorization, is left alone: no token, no refresh.
   *
   * @default 'Authorization'
   */
  header?: string | undefined;
  /**
   * What stands before the token in the header (RFC 9110, section 11.4), with a space between; '': nothing.
   *
   * @default 'Bearer'
   */
  scheme?: string | undefined;
  /**
   * Where the token may go, and whose 401 counts: URLs, of which the origin is taken. No absolute URL and no redirect takes it
   * anywhere else. In Node, where there is no page, `baseUrl` or this has to be given.
   *
   * @default the origin of baseUrl, else of the page
   */
  origins?: readonly (string | URL)[] | undefined;
  /**
   * How long `refreshToken`, `getToken`, or the wait for the lock of the tabs may take: milliseconds, 1 or more; false or
   * Infinity: no limit but those of the calls.
   *
   * @default 10000
   */
  refreshTimeout?: number | false | undefined;
  /**
   * When a token expires, in milliseconds since 1970: then it is refreshed before that. If that fails, the old one is sent. A
   * token that looks expired when it is new is not believed to be, since the clock of a client may be wrong: its 401 will say.
   * undefined, null or NaN: not known.
   *
   * @default undefined
   * @example { expiresAt: (token) => JSON.parse(atob(token.split('.')[1])).exp * 1_000 }
   */
  expiresAt?: ((token: string) => number | null | undefined) | undefined;
  /**
   * With `expiresAt`, how long before: milliseconds, 0 or more.
   *
   * @default 30000
   */
  refreshBefore?: number | undefined;
  /**
   * Who refreshes once: 'tab', the clients of this page; 'origin', all tabs of this origin, for refresh tokens that are good for
   * one use. Who gets the lock (W3C Web Locks) asks `getToken` whether another tab has a new token by now. A tab that does
   * not give it back, such as one that is frozen, loses it after `refreshTimeout`. Where there are no Web Locks it is 'tab'.
   *
   * @default 'tab'
   */
  lock?: 'tab' | 'origin' | undefined;
  /**
   * The name of that lock.
   *
   * @default 'steadfetch:' and the first of origins
   */
  lockName?: string | undefined;
  /**
   * With another `header` than Authorization a request is sent with `redirect: 'error'`, unless it has 'manual': browsers take
   * off Authorization only when a redirect leads to another origin. true: redirects are followed.
   *
   * @default false
   */
  allowRedirects?: boolean | undefined;
}
