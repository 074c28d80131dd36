// Assertions that work alike in a page, in a worker and in Node.

export class AssertionError extends Error {
  name = 'AssertionError';
}

/** A value as a reader of a failed test wants to see it. */
export function show(value) {
  if (typeof value === 'string') return value.length > 300 ? `${JSON.stringify(value.slice(0, 300))}…` : JSON.stringify(value);
  if (value instanceof Error || (value && typeof value === 'object' && 'stack' in value && 'message' in value)) {
    const fields = ['code', 'phase', 'outcome', 'status', 'retryStopped', 'hint']
      .filter((name) => value[name] !== undefined)
      .map((name) => `${name}=${value[name]}`);
    return `${value.name}: ${value.message}${fields.length > 0 ? ` [${fields.join(' ')}]` : ''}`;
  }
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

export function fail(message) {
  throw new AssertionError(message);
}

export function ok(value, what = 'value') {
  if (!value) fail(`${what}: expected a true value, got ${show(value)}`);
}

/** Identity, as `Object.is` sees it. */
export function equal(actual, expected, what = 'value') {
  if (!Object.is(actual, expected)) fail(`${what}: expected ${show(expected)}, got ${show(actual)}`);
}

/** Structural equality of plain data, typed arrays included. */
export function same(actual, expected, what = 'value') {
  if (!sameData(actual, expected)) fail(`${what}: expected ${show(expected)}, got ${show(actual)}`);
}

function sameData(left, right) {
  if (Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys(left);
  return names.length === Object.keys(right).length
    && names.every((name) => Object.hasOwn(right, name) && sameData(left[name], right[name]));
}

export function match(text, pattern, what = 'text') {
  if (!pattern.test(String(text))) fail(`${what}: expected a match of ${pattern}, got ${show(text)}`);
}

export function lacks(text, part, what = 'text') {
  if (String(text).includes(part)) fail(`${what}: must not contain ${show(part)}, got ${show(text)}`);
}

export function oneOf(actual, expected, what = 'value') {
  if (!expected.includes(actual)) fail(`${what}: expected one of ${show(expected)}, got ${show(actual)}`);
}

/** A number within bounds, both included. */
export function between(actual, low, high, what = 'number') {
  if (!(actual >= low && actual <= high)) fail(`${what}: expected ${low} to ${high}, got ${actual}`);
}

export function throws(run, check, what = 'call') {
  let result;
  try {
    result = run();
  } catch (error) {
    check?.(error);
    return error;
  }
  return fail(`${what}: expected it to throw, it returned ${show(result)}`);
}
