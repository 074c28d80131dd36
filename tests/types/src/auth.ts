import { createClient, type AuthOptions, type AuthContext, type RefreshEvent, type SteadfetchError } from 'steadfetch';
import { assert, type Equal } from './equal.js';

const auth: AuthOptions = {
  getToken: async ({ signal, fetch }) => {
    assert<Equal<typeof signal, AbortSignal>>();
    return (await fetch('token', { signal })).text();
  },
  refreshToken: async (tools) => {
    assert<Equal<typeof tools, AuthContext>>();
  },
  shouldRefresh: (response) => response.status === 403,
  header: 'X-Api-Key',
  scheme: '',
  origins: ['https://api.example.test', new URL('https://b.example.test')],
  refreshTimeout: false,
  expiresAt: (token) => token.length,
  refreshBefore: 5_000,
  lock: 'origin',
  lockName: 'session',
  allowRedirects: true,
};
const api = createClient({ auth });
api.extend({ auth: false });
void api.get('x', { auth: false });
void api.fetch('x', { auth: false });
createClient({ auth: { refreshToken: () => null } });
createClient({ auth: { refreshToken: () => undefined, getToken: () => undefined } });

// @ts-expect-error - nothing renews it
createClient({ auth: { getToken: () => 'x' } });
// @ts-expect-error - of the client; a call can only do without
void api.get('x', { auth });
// @ts-expect-error - no such lock
createClient({ auth: { refreshToken: () => 'x', lock: 'page' } });
// @ts-expect-error - a token is a string
createClient({ auth: { refreshToken: () => 5 } });

declare const error: SteadfetchError;
if (error.code === 'AUTH_REFRESH_FAILED') assert<Equal<typeof error.sessionLost, boolean>>();
createClient({
  onEvent(event) {
    if (event.type === 'refresh') assert<Equal<typeof event, RefreshEvent>>();
  },
});
