// The same call with the platform's own fetch: what it shows, when, and whether it ends at all.

/** After this long without an end the playground itself gives up: a tab has better things to do. */
const PATIENCE_MS = 20_000;
const INIT = ['method', 'headers', 'body', 'mode', 'credentials', 'cache', 'redirect', 'referrer', 'keepalive'];

export class BareFetch {
  segments = [];
  /** Milliseconds after `started`, once it has ended. */
  end;
  /** The text that a caller of fetch would see. */
  text = '';
  state = 'pending';
  badge = '';
  #controller = new AbortController();
  #givenUp = false;

  constructor(changed) {
    this.changed = changed;
    this.started = performance.now();
  }

  /** Resolves when it has ended or was given up. Never rejects. */
  async run(call, url) {
    this.started = performance.now();
    const timer = setTimeout(() => this.giveUp(), PATIENCE_MS);
    this.#step('headers');
    try {
      const response = await fetch(url, { ...init(call), signal: this.#controller.signal });
      this.badge = String(response.status);
      this.#step('body');
      const text = await response.text();
      this.#finish('ok', `Resolved: status ${response.status}, ok ${response.ok}, ${text.length} characters.`);
    } catch (error) {
      if (this.#givenUp) {
        this.#finish('pending', 'Never settled by itself: the playground gave up waiting.', 'given up');
      } else {
        this.#finish('failed', `Rejected: ${error}`, error?.name ?? typeof error);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the wait from outside. */
  giveUp() {
    this.#givenUp = true;
    this.#controller.abort();
  }

  /** As a lane draws it. */
  view(now) {
    const extent = this.end ?? now - this.started;
    const badge = this.end === undefined ? 'still pending' : this.badge;
    return { segments: this.segments, badge, state: this.state, extent, started: this.started };
  }

  #step(kind) {
    const at = performance.now() - this.started;
    const last = this.segments.at(-1);
    if (last) last.end = at;
    this.segments.push({ kind, start: at, end: undefined, attempt: 1 });
    this.changed(this);
  }

  #finish(state, text, badge = this.badge) {
    this.end = performance.now() - this.started;
    this.segments.at(-1).end = this.end;
    Object.assign(this, { state, text, badge });
    this.changed(this);
  }
}

function init({ method, options }) {
  const all = { method, ...options };
  const picked = Object.fromEntries(INIT.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]));
  if (all.json === undefined) return picked;
  return { ...picked, body: JSON.stringify(all.json), headers: { 'content-type': 'application/json', ...picked.headers } };
}
