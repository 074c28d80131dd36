// The server of this page: access tokens that expire, and refresh tokens that are good for one use. Who sends one a second
// time has perhaps stolen it, so the session is revoked (RFC 9700, section 4.14.2).

/** How long it takes to make a new token. */
const REFRESH_MS = 600;
/** How many requests a browser sends to a host at once: more cannot be waited for. */
const CONNECTIONS = 6;
const GATE = 'expired';
/** What a client gets by logging in. */
export const FIRST = { token: 'access-1', refresh: 'refresh-1' };
const SECOND = { token: 'access-2', refresh: 'refresh-2' };

export class SessionServer {
  isRevoked = false;
  #before = 0;
  #watching;

  constructor(origin) {
    this.origin = origin;
  }

  /** @param {object} server the fault server */
  static async open(server) {
    return new SessionServer(await server.open({ script: { routes: [data(FIRST), unauthorized()] } }));
  }

  get base() {
    return this.origin.url('/');
  }

  /**
   * From now on the first token is not good any more.
   * @param {() => void} revoked is called if the refresh token comes twice
   */
  async expire(revoked) {
    this.#before = (await this.origin.report()).requests;
    await this.origin.script({ routes: [
      data(SECOND),
      { path: '/data', steps: [{ gate: GATE, status: 401, json: { error: 'expired' } }] },
      { path: '/token', when: { headers: { 'x-refresh': FIRST.refresh } }, steps: [{ delay: REFRESH_MS, json: SECOND }, { status: 400, json: { error: 'invalid_grant' } }] },
    ] });
    this.#watching = this.#watch(revoked);
  }

  /** Answers the calls that came with the old token, all at one time. @param {number} calls how many there will be */
  async answer(calls) {
    await this.origin.wait({ requests: this.#before + Math.min(calls, CONNECTIONS) });
    await this.origin.release(GATE);
  }

  /** What came since the token expired. */
  async log() {
    const log = (await this.origin.report()).log.slice(this.#before);
    // A refresh token that came twice is dealt with before anybody is told.
    if (log.filter(({ method }) => method === 'POST').length > 1) await this.#watching;
    return log.map(({ method, url, headers, atMs }) => ({
      method, url, atMs, token: headers['x-refresh'] ?? headers.authorization?.replace('Bearer ', '') ?? '',
    }));
  }

  close() {
    return this.origin.close();
  }

  async #watch(revoked) {
    try {
      await this.origin.wait({ path: '/token', requests: 2, timeout: 30_000 });
    } catch {
      // It came once only, and the origin is closed by now.
      return;
    }
    this.isRevoked = true;
    revoked();
    await this.origin.script({ routes: [unauthorized(), { path: '/token', steps: [{ status: 400, json: { error: 'invalid_grant' } }] }] });
  }
}

function data({ token }) {
  return { path: '/data', when: { headers: { authorization: `Bearer ${token}` } }, steps: [{ json: { ok: true } }] };
}

function unauthorized() {
  return { path: '/data', steps: [{ status: 401, json: { error: 'expired' } }] };
}
