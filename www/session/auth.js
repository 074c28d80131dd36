// The session of an app, as its tabs share it: both tokens in localStorage, each refresh token good for one use.

/**
 * @param {object} parts
 * @param {'origin' | 'tab'} parts.lock who refreshes once
 * @param {string} parts.store the key of localStorage
 * @param {string} parts.frame who asks, for the log of the server
 */
export function sessionAuth({ lock, store, frame }) {
  const stored = () => JSON.parse(localStorage.getItem(store) ?? '{}');
  return {
    lock,
    getToken: () => stored().token,
    async refreshToken({ fetch }) {
      const response = await fetch(`token?frame=${frame}`, { method: 'POST', headers: { 'x-refresh': stored().refresh } });
      if (!response.ok) throw Object.assign(new Error('refused'), { status: response.status });
      localStorage.setItem(store, await response.text());
      return stored().token;
    },
  };
}

/** The same as an app would write it. */
export const codeOf = (lock) => `const stored = () =>
  JSON.parse(localStorage.getItem('session') ?? '{}');

const api = createClient({
  baseUrl: 'https://api.example.test/',
  auth: {
    lock: '${lock}',
    getToken: () => stored().token,
    async refreshToken({ fetch }) {
      const response = await fetch('token', {
        method: 'POST',
        headers: { 'x-refresh': stored().refresh },
      });
      if (!response.ok) {
        const { status } = response;
        throw Object.assign(new Error('refused'), { status });
      }
      localStorage.setItem('session', await response.text());
      return stored().token;
    },
  },
});
`;
