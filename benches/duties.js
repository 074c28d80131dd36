// What each contestant does for its cost, tried out: a cheaper call that does less is no better.

import { failing, silent, stalling, TEXT } from './stub.js';
import { SETTINGS } from './settings.js';

/** For a limit that is to be met, and soon; retries of what timed out included. */
const SHORT = { ...SETTINGS, timeout: 40, totalTimeout: 160, retries: 1, delay: 10 };
/** For a retry that is to come soon, on a machine however slow. */
const RETRYING = { ...SETTINGS, delay: 10 };
/** What has not settled by then does not know the limit. */
const PATIENCE = 3_000;

const URL_ = 'https://stub.test/';

const DUTIES = {
  'retries a lost connection': (make) => text(make(failing(1), RETRYING)(URL_)),
  'limit until the headers': (make) => rejects(make(silent)(URL_)),
  'limit of the body': (make) => rejects(make(stalling)(URL_)),
  'limit beside a signal': (make) => rejects(make(silent)(URL_, new AbortController())),
  'cancel in the body': (make) => {
    const controller = new AbortController();
    const call = make(stalling, SETTINGS)(URL_, controller);
    setTimeout(() => controller.abort(), SHORT.timeout);
    return rejects(call);
  },
};

/** @returns {Promise<Record<string, Record<string, boolean>>>} by contestant, by duty */
export async function duties(contestants) {
  const all = contestants.map(async ({ name, make }) => {
    const withFetch = (fetch, settings = SHORT) => make({ ...settings, fetch });
    const tried = Object.entries(DUTIES).map(async ([duty, holds]) => [duty, await holds(withFetch)]);
    return [name, Object.fromEntries(await Promise.all(tried))];
  });
  return Object.fromEntries(await Promise.all(all));
}

const within = (promise) => Promise.race([promise, new Promise((resolve) => setTimeout(resolve, PATIENCE, false))]);

const text = (call) => within(call.then((got) => got === TEXT, () => false));

const rejects = (call) => within(call.then(() => false, () => true));
