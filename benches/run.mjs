// `cargo xtask bench`: measures in Chromium, or elsewhere, and prints what it found.
//
//   --check         fails when the product is above its budget
//   --markdown      prints the table of the README instead
//   --json FILE     writes all that was measured
//   --node          measures in Node
//   --browser NAME  measures in `firefox` or `webkit` (WebKitGTK)
//   --profile FILE  measures nothing: writes a CPU profile of the product, for Chromium's DevTools

import { writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';

import { inPage, reported, withPage } from './browser.mjs';
import { judge } from './budget.js';
import { inNode } from './node.mjs';
import { profile } from './profile.mjs';
import { summarize } from './summary.js';
import { markdown, terminal } from './table.js';

const PLAN = { url: 'https://stub.test/items/1', calls: 200, rounds: 60, warmUp: 6 };
const NETWORK = {
  calls: 40,
  rounds: 15,
  warmUp: 2,
  modes: [{ name: 'loopback', parallel: 1, signal: false }],
  names: ['bare fetch', 'hand-written', 'steadfetch get', 'steadfetch fetch', 'ky', 'axios'],
};

const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    json: { type: 'string' },
    node: { type: 'boolean', default: false },
    browser: { type: 'string' },
    profile: { type: 'string' },
  },
});

const place = {
  browserPath: needed('STEADFETCH_BROWSER'),
  serverPath: needed('STEADFETCH_SERVER_BIN'),
  packagePath: needed('STEADFETCH_PKG'),
};

function needed(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run cargo xtask bench`);
  return value;
}

function inChromium() {
  return withPage(place, async ({ page, url, version }) => {
    const duties = await inPage(page, 'duties');
    const times = await inPage(page, 'stubbed', PLAN);
    const { loopback } = await inPage(page, 'network', { ...NETWORK, url });
    return { version: `Chromium ${version}`, duties, times, network: loopback };
  });
}

function measured() {
  if (options.node) return inNode(place.packagePath, PLAN);
  return options.browser ? reported(options.browser, place, PLAN) : inChromium();
}

/** The page itself takes up to two cores; on Windows the load is not known, and 0. */
function confidence() {
  const [load] = loadavg();
  return load > cpus().length + 1
    ? `The machine was busy (load ${load.toFixed(0)}, ${cpus().length} cores): take the ratios, not the microseconds, and run it again.`
    : '';
}

async function report() {
  const found = await measured();
  const budgets = judge(found.times);
  const all = {
    setting: `${found.version} on ${cpus()[0].model}: medians of ${PLAN.rounds} rounds of ${PLAN.calls} calls, in turns, with a stubbed fetch`,
    confidence: confidence(),
    stubbed: summarize(found.times),
    network: found.network,
    duties: found.duties,
    budgets,
  };
  console.log(options.markdown ? markdown(all) : terminal(all));
  if (options.json) await writeFile(options.json, JSON.stringify({ ...all, times: found.times }, undefined, 1));
  if (options.check && budgets.some(({ kept }) => !kept)) {
    console.error('the product is above its budget');
    process.exitCode = 1;
  }
}

if (options.profile) {
  await withPage(place, async ({ page }) => console.log(await profile(page, PLAN, options.profile)));
} else {
  await report();
}
