// The scripts of service workers: one for each file of cases, since they know only what they import when they start.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * @param {string[]} topics file names
 * @param {Record<string, string>} modules paths of those that all of them need, by name
 * @returns {{ directory: string, remove: () => void }}
 */
export function serviceWorkerFiles(topics, modules) {
  const directory = mkdtempSync(join(tmpdir(), 'steadfetch-'));
  for (const topic of topics) {
    const all = Object.entries({ ...modules, topic: `/npm/cases/${topic}` });
    const lines = [
      ...all.map(([name, path]) => `import * as ${name}_ from ${JSON.stringify(path)};`),
      "import { serve } from '/npm/harness/service-worker.mjs';",
      `serve({ ${all.map(([name]) => `${name}: ${name}_`).join(', ')} });`,
    ];
    writeFileSync(join(directory, topic), `${lines.join('\n')}\n`);
  }
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
