// Makes the call that a scenario describes, with the package's public API. `panels/code.js` shows the same in words.

const SHORTCUTS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'QUERY'];

/** The member of a client for this method; any other method goes through `get` with its `method` option. */
export function shortcut(method) {
  return SHORTCUTS.includes(method) ? method.toLowerCase() : 'get';
}

/** The options of the call beside those that the scenario gives. */
export function callOptions({ method, read, options, bodyBytes, formData, argument }) {
  const own = {};
  const asRequest = argument === 'request';
  if (!asRequest && (read === 'fetch' ? method !== 'GET' : !SHORTCUTS.includes(method))) own.method = method;
  if (bodyBytes !== undefined) own.body = new Uint8Array(bodyBytes);
  if (formData !== undefined) own.body = toFormData(formData);
  if (!asRequest) return { ...options, ...own };
  const { body, headers, ...rest } = options;
  return rest;
}

/**
 * @param {object} api a client
 * @param {object} call as scenarios describe it
 * @param {string} url
 * @param {{ signal: AbortSignal, operation?: string }} more
 */
export async function perform(api, call, url, more) {
  const options = { ...callOptions(call), ...more };
  if (call.read === 'fetch') {
    const input = call.argument === 'request'
      ? new Request(url, { method: call.method, body: call.options.body, headers: call.options.headers })
      : url;
    const response = await api.fetch(input, options);
    return response.text();
  }
  const promise = api[shortcut(call.method)](url, options);
  if (call.read === 'none') return promise;
  return promise[call.read]();
}

/** The options of the client. */
export function clientOptions({ client = {}, hook }) {
  if (hook === undefined) return { ...client };
  const wait = () => new Promise((resolve) => { setTimeout(resolve, hook); });
  return { ...client, hooks: { beforeRequest: [wait] } };
}

function toFormData(fields) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}
