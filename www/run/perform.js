// Makes the call that a scenario describes, with the package's public API. `panels/code.js` shows the same in words.

const SHORTCUTS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'query'];

/** The member of a client that makes the call: the shortcut of its method, or `fetch`. */
export function member({ method, read }) {
  const shortcut = method.toLowerCase();
  return read !== 'fetch' && SHORTCUTS.includes(shortcut) ? shortcut : 'fetch';
}

/** The reader of the body, if it is read. */
export function reader({ read }) {
  if (read === 'none') return undefined;
  return read === 'fetch' ? 'text' : read;
}

/** The options of the call beside those that the scenario gives. */
export function callOptions(call) {
  const { method, options, bodyBytes, formData, argument } = call;
  // Those belong to the Request then.
  if (argument === 'request') return without(options, ['body', 'headers']);
  return {
    ...options,
    ...(member(call) === 'fetch' && method !== 'GET' && { method }),
    ...(bodyBytes !== undefined && { body: new Uint8Array(bodyBytes) }),
    ...(formData !== undefined && { body: toFormData(formData) }),
  };
}

/**
 * @param {object} api a client
 * @param {object} call as scenarios describe it
 * @param {string} url
 * @param {{ signal: AbortSignal, operation?: string }} more
 */
export async function perform(api, call, url, more) {
  const { method, argument, options: { body, headers } } = call;
  const name = member(call);
  const read = reader(call);
  const input = argument === 'request' ? new Request(url, { method, body, headers }) : url;
  const promise = api[name](input, { ...callOptions(call), ...more });
  if (read === undefined) return promise;
  // The promise of a shortcut has the readers itself.
  return name === 'fetch' ? (await promise)[read]() : promise[read]();
}

/** The options of the client. */
export function clientOptions({ client = {}, hook }) {
  if (hook === undefined) return { ...client };
  const wait = () => new Promise((resolve) => { setTimeout(resolve, hook); });
  return { ...client, hooks: { beforeRequest: [wait] } };
}

function without(object, names) {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

function toFormData(fields) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}
