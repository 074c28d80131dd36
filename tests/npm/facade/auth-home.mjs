// Whose the token is: that of the client that was given `auth`.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { steadfetch } from './package.mjs';

const { createClient } = steadfetch;

describe('auth of a view', () => {
  it('goes to the origin of the client that was given it, whatever base URL a view has', async () => {
    const seen = [];
    const fetch = async (url, { headers }) => {
      seen.push(`${new URL(url).host} ${new Headers(headers).get('authorization')}`);
      return new Response('{}');
    };
    const auth = { getToken: () => 'S3CRET', refreshToken: () => 'new' };
    const api = createClient({ baseUrl: 'https://a.test/', auth, fetch });
    const other = api.extend({ baseUrl: 'https://b.test/' });
    await api.get('x').json();
    await other.get('x').json();
    await other.get('https://a.test/y').json();
    await other.extend({ auth }).get('x').json();
    assert.deepEqual(seen, ['a.test Bearer S3CRET', 'b.test null', 'a.test Bearer S3CRET', 'b.test Bearer S3CRET']);
  });
});
