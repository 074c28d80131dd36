// Runs cases in a runtime other than this Node, each in a process of its own: a fresh realm, as a page is.

import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { casesDirectory, entry, fileUrl, modulesDirectory, packageDirectory, serverDirectory } from './places.mjs';
import { openSink } from './sink.mjs';

const script = fileURLToPath(new URL('./process.mjs', import.meta.url));

/**
 * The program out of the package for this machine, the only one of its scope that npm has installed. The runtime's own package
 * puts it elsewhere with an install script, which is not run.
 */
export function runtimeOf(scope, program) {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const directory = join(modulesDirectory, scope);
  return join(directory, readdirSync(directory)[0], program + suffix);
}

/** @param {string} binary of the runtime, @param {string[]} args in front of the script */
export async function runtimeDriver(binary, args) {
  const sink = await openSink();
  const modules = {
    client: fileUrl(join(serverDirectory, 'client.mjs')),
    // What `node` in the exports names, these take too.
    package: fileUrl(join(packageDirectory, entry('node'))),
  };
  return {
    sink: sink.origin,
    async run(env, signal) {
      const { url: address, result } = sink.expect();
      const full = { ...env, sink: address, modules: { ...modules, topic: fileUrl(join(casesDirectory, env.topic)) } };
      const child = spawn(binary, [...args, script, JSON.stringify(full)], { stdio: ['ignore', 'pipe', 'pipe'] });
      let said = '';
      for (const output of [child.stdout, child.stderr]) output.on('data', (part) => { said += part; });
      const stop = () => child.kill('SIGKILL');
      signal.addEventListener('abort', stop, { once: true });
      try {
        const ended = new Promise((resolve) => {
          child.once('error', ({ message, stack }) => resolve({ ok: false, message, stack }));
          child.once('close', (code) => resolve({ ok: false, message: `the process ended with ${code}`, stack: said }));
        });
        return await Promise.race([result, ended]);
      } finally {
        signal.removeEventListener('abort', stop);
        stop();
      }
    },
    async close() {
      sink.close();
    },
  };
}
