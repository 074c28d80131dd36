// A fault that the visitor puts together: from its settings to a scenario.

const PATH = '/fault';
/** Bytes are on their way when the reset comes; it would throw them away. */
const FLUSHED = { bytes: 0, delay: 50 };

export const FAILURES = {
  none: 'Nothing',
  status: 'An error status',
  reset: 'The connection is reset',
  fin: 'The connection is closed',
  hang: 'No answer at all',
  refuse: 'No connection',
};

export const BODIES = {
  whole: 'At once',
  drip: 'In pieces',
  stall: 'Half, then silence',
  cut: 'Half, then cut off',
  reset: 'Half, then reset',
  empty: 'None',
};

/** A value of every setting. */
export const INITIAL = {
  failure: 'status',
  failures: 2,
  always: false,
  failureStatus: 503,
  retryAfter: '',
  status: 200,
  delay: 0,
  body: 'whole',
  pieces: 10,
  every: 100,
  cors: true,
};

/** What the server does, as a scenario without expectations. */
export function toScenario(settings) {
  const failing = settings.failure === 'none' ? 0 : settings.failures;
  const scenario = {
    name: 'Your own fault',
    group: 'own',
    script: { routes: [{ path: `${PATH}*`, steps: steps(settings, failing) }] },
    call: { path: PATH, options: { retry: { limit: 3, delay: 200, statusCodes: [429, 500, 502, 503, 504] } }, read: 'json' },
  };
  if (settings.failure !== 'refuse') return scenario;
  return { ...scenario, origin: settings.always ? { refuse: true } : { resetConnections: failing } };
}

function steps(settings, failing) {
  const answer = { ...common(settings), status: settings.status, ...body(settings) };
  if (settings.failure === 'none' || settings.failure === 'refuse') return [answer];
  const fault = failure(settings);
  return settings.always ? [fault] : [...Array.from({ length: failing }, () => fault), answer];
}

function common({ delay, cors }) {
  return { ...(delay > 0 && { delay }), ...(!cors && { cors: false }) };
}

function failure(settings) {
  if (settings.failure !== 'status') return { ...common(settings), before: settings.failure };
  const { failureStatus, retryAfter } = settings;
  return {
    ...common(settings),
    status: failureStatus,
    json: { error: `fault ${failureStatus}` },
    ...(retryAfter !== '' && { headers: { 'retry-after': retryAfter } }),
  };
}

function body({ body: shape, pieces, every }) {
  const list = (count) => [{ text: '[1' }, ...Array.from({ length: count }, () => ({ text: ',1', delay: every }))];
  const half = Math.ceil(pieces / 2);
  switch (shape) {
    case 'empty': return {};
    case 'drip': return { chunks: [...list(pieces), { text: ']' }], headers: { 'content-type': 'application/json' } };
    case 'stall': return { chunks: list(half), end: 'hang' };
    case 'cut': return { chunks: list(half), end: 'cut' };
    case 'reset': return { chunks: [...list(half), FLUSHED], end: 'reset' };
    default: return { json: { ok: true } };
  }
}
