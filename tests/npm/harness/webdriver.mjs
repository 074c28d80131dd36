// A client of WebDriver (https://www.w3.org/TR/webdriver2/), as small as the cases need it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** For one command: starting a browser on a busy machine is one. */
const COMMAND_LIMIT = 30_000;
const START_LIMIT = 10_000;

/** Drivers take no port 0, so one that was free a moment ago has to do. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function command(origin, method, path, body) {
  const response = await fetch(origin + path, {
    method,
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(COMMAND_LIMIT),
  });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`WebDriver ${method} ${path}: ${value.error}: ${value.message}`);
  return value;
}

/** Starts a driver; resolves when it takes commands. */
async function startDriver(binary, env) {
  const port = await freePort();
  const child = spawn(binary, [`--port=${port}`], { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...env } });
  let ended;
  child.once('error', (error) => { ended = error.message; });
  child.once('exit', (code, signal) => { ended = `it ended with ${code ?? signal}`; });
  const origin = `http://127.0.0.1:${port}`;
  for (const start = performance.now(); ;) {
    try {
      await command(origin, 'GET', '/status');
      return { origin, child };
    } catch (error) {
      const late = performance.now() - start > START_LIMIT;
      if (ended || late) throw new Error(`${binary} did not start: ${ended ?? error.message}`, { cause: error });
      // It tells nobody when it listens.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** A browser with one session. Commands go to one window after the other. */
export class Session {
  #child;
  #root;
  /** The window that the browser came with. It stays: nothing can be asked once the chosen window is gone. */
  #first;
  #last = Promise.resolve();
  /** A driver that is left behind keeps its browser, and the pipe to which both write. */
  #interrupted = () => {
    this.#child.kill();
    process.exit(1);
  };

  /** @param {{ binary: string, capabilities: object, env?: object }} options */
  static async open({ binary, capabilities, env }) {
    const { origin, child } = await startDriver(binary, env);
    const session = new Session();
    session.#child = child;
    process.once('SIGTERM', session.#interrupted);
    try {
      const { sessionId } = await command(origin, 'POST', '/session', { capabilities: { alwaysMatch: capabilities } });
      session.#root = `${origin}/session/${sessionId}`;
      session.#first = await session.#send('GET', '/window');
      return session;
    } catch (error) {
      child.kill();
      throw error;
    }
  }

  #send(method, path, body) {
    return command(this.#root, method, path, body);
  }

  /** Runs `send` when all before it have ended: commands mean the window that was chosen last. */
  #inTurn(send) {
    const result = this.#last.then(send);
    this.#last = result.catch(() => {});
    return result;
  }

  /** A window of its own, and not a tab: what is hidden is slowed down. */
  async openWindow() {
    const { handle } = await this.#inTurn(async () => {
      await this.#send('POST', '/window', { handle: this.#first });
      return this.#send('POST', '/window/new', { type: 'window' });
    });
    const here = (method, path, body) => this.#inTurn(async () => {
      await this.#send('POST', '/window', { handle });
      return this.#send(method, path, body);
    });
    return {
      goto: (url) => here('POST', '/url', { url }),
      close: () => here('DELETE', '/window'),
    };
  }

  async close() {
    process.off('SIGTERM', this.#interrupted);
    const ended = once(this.#child, 'exit');
    await this.#inTurn(() => this.#send('DELETE', '')).catch(() => {});
    this.#child.kill();
    await ended;
  }
}
