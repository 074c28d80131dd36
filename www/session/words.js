// What happened, in words.

import { plural } from '../format.js';

/**
 * What a frame did for its token.
 * @param {{ refreshes: { ok: boolean }[], resends: number }} frame its `refresh` events, and how often it sent a call again
 * @returns {'refreshed' | 'refused' | 'adopted' | 'none'}
 */
export function roleOf({ refreshes, resends }) {
  if (refreshes.some(({ ok }) => ok)) return 'refreshed';
  if (refreshes.length > 0) return 'refused';
  return resends > 0 ? 'adopted' : 'none';
}

/** Of a frame; `revoked`: the server has ended the session. */
export function roleWords(role, other, revoked) {
  return {
    refreshed: revoked ? 'refreshed the token, and it was revoked' : 'refreshed the token',
    refused: 'was refused a new token',
    adopted: `took over the token of frame ${other}`,
    none: 'did nothing about its token',
  }[role];
}

/** How a call ended, after what. */
export function callWords({ statuses, code, sessionLost }) {
  const answers = statuses.join(', then ');
  if (code === undefined) return answers;
  return `${answers}: ${code}${sessionLost ? ', log in again' : ''}`;
}

/**
 * @param {object} run
 * @param {number} run.refreshes how many requests for a new token the server had
 * @param {number} run.ok of how many `calls` were answered 200 in the end
 * @param {boolean} run.revoked whether the server has ended the session
 * @param {{ name: string, role: string }[]} run.frames
 */
export function verdict({ refreshes, ok, calls, revoked, frames }) {
  const count = `${ok} of ${plural(calls, 'call')} got 200.`;
  const named = (role) => frames.filter((frame) => frame.role === role).map(({ name }) => name);
  if (revoked) return `${plural(refreshes, 'refresh request')} with one refresh token: the server revoked the session. ${count}`;
  const [by] = named('refreshed');
  const [adopter] = named('adopted');
  const whom = by && adopter ? `, by frame ${by}; frame ${adopter} took over its token` : '';
  return `${plural(refreshes, 'refresh request')}${whom}. ${count}`;
}

const EXPLANATIONS = {
  before: [
    'Both frames hold the same session: an access token, and a refresh token that is good for one use. They have the same origin, as two tabs of your app have, and a client each.',
    'When the access token expires, all their calls are answered 401 at once, and each client wants a new one.',
  ],
  kept: [
    'Both clients wanted to refresh, and both asked the browser for the same lock (Web Locks). It goes to one at a time.',
    'The first one sent the refresh token and stored what it got. The other one, when its turn came, asked `getToken` before anything else, found that the token was a new one by now, and used it.',
    'So the refresh token was sent once. Each call was sent again with the new token, and no caller noticed anything.',
  ],
  revoked: [
    'With `lock: \'tab\'` a client knows nothing of other tabs. Each of them read the same refresh token from storage and sent it.',
    'That token is good for one use. A server that gets it twice cannot tell a second tab from a thief, so it did what it should: it revoked the session, with the token that it had just given out.',
    'The calls of one frame end with AUTH_REFRESH_FAILED and `sessionLost: true`, those of the other with a second 401. The user, who did nothing but have two tabs open, has to log in again.',
  ],
};

/** @param {'before' | 'kept' | 'revoked'} end */
export const explanation = (end) => EXPLANATIONS[end];
