// Consumers that run in a page of Chromium: what the page reports, and what it asked its server for.

import { faults } from './faults.mjs';
import { resultOf } from '../../npm/consumers/pages.mjs';
import { serve } from '../../npm/consumers/server.mjs';

/** The whole smoke suite in a page, on a machine under load. */
const LIMIT = 120_000;
const ENGINE_FILE = /steadfetch.*_bg|parts|\.wasm$/u;

/** Serves a directory and opens its page. */
export async function inPage(t, directory) {
  const { origin, requests, missing } = await serve(t, directory);
  const report = await reportOf(`${origin}/?${await faults(t)}`);
  return { report, missing, files: requests.filter((path) => ENGINE_FILE.test(path)).map(nameOf) };
}

/** What the page of a server reports, whatever that server is. */
export async function atServer(t, url) {
  const responses = [];
  const report = await reportOf(`${url}?${await faults(t)}`, responses);
  const pathOf = (response) => new URL(response.url()).pathname;
  return {
    report,
    missing: responses.filter(isMissing).map(pathOf),
    files: responses.map(pathOf).filter((path) => ENGINE_FILE.test(path)).map(nameOf),
  };
}

/** Servers of single-page applications answer with the page whatever they do not have. */
function isMissing(response) {
  if (new URL(response.url()).pathname === '/favicon.ico') return false;
  const isPage = response.headers()['content-type']?.startsWith('text/html') && response.request().resourceType() !== 'document';
  return response.status() === 404 || isPage;
}

const nameOf = (path) => path.split('/').at(-1);

async function reportOf(url, responses) {
  const { result, complaints } = await resultOf(url, { limit: LIMIT, responses });
  if (!result?.results) throw new Error(`the page reports nothing: ${JSON.stringify(result)}\n${complaints.join('\n')}`);
  return result;
}
