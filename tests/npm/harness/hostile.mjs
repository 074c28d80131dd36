// Option objects as no documentation would suggest them.

const BIG = 'x'.repeat(10_000_000);

const cyclic = () => {
  const object = { a: 1 };
  object.self = object;
  return object;
};

const thrower = () => { throw new Error('hostile'); };
const throwing = (key) => Object.defineProperty({}, key, { get: thrower, enumerable: true });
const proxy = (trap) => new Proxy({}, { [trap]: thrower });

const VALUES = [
  () => undefined, () => null, () => true, () => false, () => NaN, () => Infinity, () => -Infinity, () => -0, () => 0, () => 1,
  () => 0.5, () => -1, () => 1e308, () => 2 ** 31, () => 2 ** 32, () => 2 ** 53, () => 5, () => 100, () => 10n, () => 2n ** 70n,
  () => Symbol('s'), () => Symbol.iterator, () => '', () => 'x', () => '300', () => 'GET', () => 'full', () => BIG, () => '\u0000\ud800',
  () => 'constructor', () => '__proto__', () => [], () => [1, 2, 3], () => ['GET', 7], () => [[[]]], () => new Array(5), () => Array(1_000).fill(503),
  () => ({}), () => cyclic(), () => Object.create(null), () => new Date(NaN), () => /x/, () => new Map([['a', 1]]), () => new Set([1]),
  () => new Headers(), () => new URLSearchParams('a=1'), () => new FormData(), () => new Blob(['x']), () => new Uint8Array(4),
  () => new ArrayBuffer(8), () => new ReadableStream(), () => new Error('e'), () => Promise.resolve(1), () => Promise.reject(new Error('r')),
  () => new AbortController(), () => AbortSignal.abort('hostile'), () => new WeakMap(), () => globalThis, () => Object,
  () => thrower, () => () => {}, () => () => 1, () => async () => 1, () => async () => { throw new Error('a'); }, () => class {},
  () => function* generator() { yield 1; }, () => () => ({ then: thrower }), () => () => NaN, () => (value) => value,
  () => throwing('then'), () => throwing('toString'), () => throwing('limit'), () => throwing('length'), () => throwing(Symbol.iterator),
  () => proxy('get'), () => proxy('has'), () => proxy('ownKeys'), () => proxy('getPrototypeOf'), () => proxy('getOwnPropertyDescriptor'),
  () => new Proxy(() => {}, { apply: thrower }), () => { const { proxy: dead, revoke } = Proxy.revocable({}, {}); revoke(); return dead; },
  () => ({ valueOf: thrower, toString: thrower }), () => ({ [Symbol.toPrimitive]: thrower }), () => ({ [Symbol.iterator]: thrower }),
  () => ({ *[Symbol.iterator]() { yield ['a', 'b']; throw new Error('i'); } }), () => ({ length: 2 ** 53 }), () => ({ then() {} }),
  () => new String('x'), () => new Number(5), () => Object.freeze({ limit: 1 }), () => document_(), () => new Response('x'),
  () => new Request('http://a.test/'),
];

/** A promise that nobody handles must not be taken for a leak of the library. */
function settle(value) {
  try {
    if (value instanceof Promise) value.catch(() => {});
  } catch {
    // A proxy that objects to instanceof.
  }
  return value;
}

const document_ = () => (typeof document === 'undefined' ? {} : document);

const OPTIONS = [
  'timeout', 'headersTimeout', 'idleTimeout', 'totalTimeout', 'minAttemptTime', 'reserve', 'maxResponseBytes', 'retry', 'idempotent',
  'baseUrl', 'name', 'operation', 'headers', 'searchParams', 'json', 'form', 'throwHttpErrors', 'hooks', 'fetch', 'onEvent',
  'onDownloadProgress', 'method', 'body', 'signal', 'credentials', 'cache', 'redirect', 'mode', 'keepalive', 'duplex',
  'priority', 'referrer', 'integrity', 'idempotencyKey', 'outcomeLookup', 'dedupe',
];
const RETRY = [
  'limit', 'methods', 'statusCodes', 'afterStatusCodes', 'delay', 'backoffLimit', 'maxRetryAfter', 'jitter', 'retryOnTimeout',
  'waitForOnline', 'shouldRetry',
];
const HOOKS = ['beforeRequest', 'beforeRetry', 'afterResponse', 'beforeError'];
const STRANGE = ['__proto__', 'constructor', 'toString', 'then', 'timout', 'retry.limit', '', ' ', 'auth', 'queue', '\u0000', 'length', 'hasOwnProperty'];

const GOOD = {
  timeout: [100, 1_000, false, Infinity, 2 ** 40], headersTimeout: [50, false], idleTimeout: [50, 9e15], totalTimeout: [40, 80, 150.5],
  minAttemptTime: [0, 5], reserve: [0, 5, 1_000], maxResponseBytes: [1, 10, false, 2 ** 50], idempotent: [true, false],
  idempotencyKey: ['auto', 'k', () => 'k'], outcomeLookup: [false, { url: () => 'a', interval: 1, limit: 2 }, { url: (key) => key, interpret: () => 'failed' }],
  dedupe: [true, false, () => 'k', () => false],
  name: ['a'], operation: ['b'], searchParams: [{ a: 1 }, 'a=1'], throwHttpErrors: [true, false], keepalive: [true], method: ['GET', 'POST', 'put', 'HEAD'],
};
const GOOD_RETRY = {
  limit: [0, 1, 2, 4_294_967_295], methods: [['get', 'POST']], statusCodes: [[503], [500, 503]], delay: [0, 1, 5, 1e9], backoffLimit: [1, 100, false],
  maxRetryAfter: [0, 1, Infinity], jitter: ['full', 'none', true], retryOnTimeout: [true], waitForOnline: [false],
};

/** One hostile object for `draw`, a random source. */
export function hostileOptions(draw) {
  const value = () => settle(draw.pick(VALUES)());
  const retry = () => {
    if (draw.chance(0.3)) return value();
    const given = {};
    for (let left = draw.below(4); left >= 0; left -= 1) {
      const key = draw.pick(RETRY);
      given[key] = GOOD_RETRY[key] && draw.chance(0.7) ? draw.pick(GOOD_RETRY[key]) : value();
    }
    if (draw.chance(0.1)) given[draw.pick(STRANGE)] = value();
    return given;
  };
  const hooks = () => {
    if (draw.chance(0.3)) return value();
    return Object.fromEntries(HOOKS.filter(() => draw.chance(0.4)).map((hook) => [hook, draw.chance(0.3) ? value() : [value()]]));
  };
  if (draw.chance(0.03)) return value();
  let options = {};
  for (let left = draw.below(5); left >= 0; left -= 1) {
    const key = draw.pick(OPTIONS);
    if (key === 'retry') options.retry = retry();
    else if (key === 'hooks') options.hooks = hooks();
    else options[key] = GOOD[key] && draw.chance(0.7) ? draw.pick(GOOD[key]) : value();
  }
  if (draw.chance(0.1)) options[draw.pick(STRANGE)] = value();
  if (draw.chance(0.03)) Object.defineProperty(options, draw.pick(OPTIONS), { get: thrower, enumerable: true, configurable: true });
  if (draw.chance(0.05)) {
    try {
      options = Object.setPrototypeOf(options, value());
    } catch {
      // Not every value is a prototype.
    }
  }
  // Before the proxy, which would not let itself be frozen.
  if (draw.chance(0.05)) options = Object.freeze(options);
  if (draw.chance(0.02)) options = new Proxy(options, { [draw.pick(['get', 'has', 'ownKeys', 'getPrototypeOf'])]: thrower });
  return options;
}

/** What a caller may hand over in place of a URL. */
export function hostileInput(draw, good) {
  return draw.chance(0.95) ? good : settle(draw.pick(VALUES)());
}
