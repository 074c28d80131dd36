// Client of the fault server's control API. Works in a page and in Node >= 20, without dependencies.

/** A refusal of the control API. */
export class ControlError extends Error {
  constructor(status, message) {
    super(`fault server: ${message} (${status})`);
    this.name = 'ControlError';
    this.status = status;
  }
}

// A test may replace the global while it runs; the control API must not be caught in its own fault.
const platformFetch = globalThis.fetch.bind(globalThis);

async function call(control, method, path, body) {
  const response = await platformFetch(control + path, {
    method,
    cache: 'no-store',
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new ControlError(response.status, answer.error);
  return answer;
}

/** A running fault server. */
export class Server {
  /** @param {string} control origin of the control API */
  constructor(control) {
    this.control = control.replace(/\/$/, '');
  }

  /** Opens a fresh origin: own port, so own connections. Options: see README.md. */
  async open(options = {}) {
    const { script, ...rest } = options;
    const body = script === undefined ? rest : { ...rest, script: toScript(script) };
    return new Origin(this, await call(this.control, 'POST', '/control/origins', body));
  }

  /** Name, version, pid and the origins that are open. */
  info() {
    return call(this.control, 'GET', '/control');
  }
}

/** One origin of a fault server. */
export class Origin {
  constructor(server, { id, origin, port }) {
    this.server = server;
    this.id = id;
    this.origin = origin;
    this.port = port;
  }

  /** Absolute URL of a path. */
  url(path = '/') {
    return this.origin + path;
  }

  /**
   * Replaces the script. Takes `{ routes: [...] }`, a list of routes, or `{ '/path': step | [step, ...] }`, where a key
   * may begin with a method: `'POST /path'`.
   */
  script(script) {
    return this.#call('PUT', '/script', toScript(script));
  }

  /** What was seen so far. */
  report() {
    return this.#call('GET', '/report');
  }

  /**
   * Resolves with the report once all counts are reached (`requests`, `completed`, `closes`, `commits`, `preflights`,
   * `connections`, `connectionsReset`: at least; `open`, `connectionsOpen`: at most; of one `path` and `key` if given).
   * Rejects after `timeout` ms (default 5000), so that a test never goes on without what it waited for.
   */
  async wait(counts) {
    const report = await this.#call('GET', `/wait?${new URLSearchParams(counts)}`);
    if (report.timedOut) {
      const { requests, completed, closes, commits, open, preflights, connections } = report;
      const seen = { requests, completed, closes, commits, open, preflights, connections };
      throw Object.assign(
        new Error(`waited for ${JSON.stringify(counts)}, saw ${JSON.stringify(seen)}`),
        { name: 'WaitTimeout', report },
      );
    }
    return report;
  }

  /** Opens a gate that steps wait for. */
  release(gate) {
    return this.#call('POST', '/release', { gate });
  }

  /** Accepts connections (true) or has the kernel refuse them (false). */
  listening(listening) {
    return this.#call('POST', '/listening', { listening });
  }

  /** Closes the listener and every connection. */
  close() {
    return this.#call('DELETE', '');
  }

  #call(method, path, body) {
    return call(this.server.control, method, `/control/origins/${this.id}${path}`, body);
  }
}

/** Connects to a running server. */
export async function connect(control) {
  const server = new Server(control);
  await server.info();
  return server;
}

/**
 * Starts a server (Node only). It ends with `stop()`, and by itself when this process ends, however that happens.
 * @param {{ binary: string, statics?: Record<string, string>, port?: number }} options statics: directory by URL prefix
 */
export async function spawn({ binary, statics = {}, port = 0 }) {
  const { spawn: start } = await import('node:child_process');
  const { createInterface } = await import('node:readline');
  const args = ['--parent-watch', '--port', String(port)];
  for (const [prefix, directory] of Object.entries(statics)) {
    args.push('--static', `${prefix}=${directory}`);
  }
  const child = start(binary, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => {
    child.once('error', resolve);
    child.once('exit', resolve);
  });
  const line = new Promise((resolve) => createInterface(child.stdout).once('line', resolve));
  const ready = await Promise.race([line, ended]);
  if (typeof ready !== 'string') throw new Error(`${binary} did not start: ${ready}`);
  // A test runner that is done must not be kept alive by its server.
  child.unref();
  child.stdin.unref?.();
  child.stdout.unref?.();
  const server = new Server(JSON.parse(ready).control);
  server.stop = async () => {
    child.ref();
    child.stdin.end();
    await ended;
  };
  return server;
}

/** Any of the accepted shapes as `{ routes }`. */
export function toScript(script) {
  if (Array.isArray(script)) return { routes: script };
  if (Array.isArray(script.routes)) return script;
  const routes = Object.entries(script).map(([key, steps]) => {
    const [, method = '*', path] = /^(?:([A-Z]+) )?(.*)$/.exec(key);
    return { path, method, steps: Array.isArray(steps) ? steps : [steps] };
  });
  return { routes };
}
