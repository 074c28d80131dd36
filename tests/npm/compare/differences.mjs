// Where `api.fetch` is meant to differ from fetch: each is a row of the table in docs/fetch.md.

/** @returns {boolean} whether these two may differ */
export const expected = (triple, theirs, ours, host) => ROWS.some((row) => row(triple, theirs, ours, host));

const endsWith = ({ events = [] }, ...ends) => ends.some((end) => events.at(-1)?.startsWith(end));
const isAborted = ({ signal }) => /^aborted/.test(signal ?? '');
const isBodiless = ({ server, method }) => /^(204|205|304|empty)$/.test(server) || method === 'HEAD';
const withoutAborts = ({ events }) => JSON.stringify(events).replaceAll('DOMException AbortError', 'TypeError TypeError');
const withoutUsed = ({ events }) => JSON.stringify(events?.slice(0, -1));

const ROWS = [
  // A wrong value of an option that steadfetch has too.
  ({ headers }, theirs, ours) => headers === 'null' && endsWith(theirs, 'rejected: TypeError') && endsWith(ours, 'rejected: other SteadfetchError'),
  // An abort right after the call comes before the platform judges the request.
  ({ signal }, theirs, ours) => signal === 'aborted at once' && endsWith(theirs, 'rejected: TypeError') && endsWith(ours, 'rejected: the reason'),
  // Firefox would send a stream as the text `[object ReadableStream]`.
  ({ body = '' }, theirs, ours, host) => host === 'firefox' && body.includes('stream') && !ours.head,
  // Firefox takes a connection that is reset in the body for an abort.
  ({ server }, theirs, ours, host) => host === 'firefox' && server === 'reset in the body' && withoutAborts(theirs) === withoutAborts(ours),
  // Without a body the call is over with its headers, and nothing is left to abort.
  (triple, theirs, ours) => triple.signal === 'aborted after headers' && isBodiless(triple) && !!theirs.head && !!ours.head,
  // A body that is read after its call has failed is not read at all.
  (triple, theirs, ours) => isAborted(triple) && !!theirs.head && withoutUsed(theirs) === withoutUsed(ours),
];
