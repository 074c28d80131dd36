// A run in one sentence, for the status line and for those who listen to it.

import { duration, plural } from '../format.js';

/**
 * @param {object[]} results of the calls, each with `end`, its `call-end` event if there was one
 * @param {(error: unknown) => object | undefined} errorInfo of the package
 */
export function summary(results, errorInfo) {
  return results.length === 1 ? ofOne(results[0], errorInfo) : ofMany(results, errorInfo);
}

function ofOne({ ok, error, elapsed, end }, errorInfo) {
  const attempts = end ? `, ${plural(end.attempts, 'attempt')}` : '';
  if (ok) return `Succeeded after ${duration(elapsed)}${attempts}.`;
  const { code = error?.name, phase } = errorInfo(error) ?? {};
  return `Failed with ${code}${phase ? `, phase ${phase}` : ''}, after ${duration(elapsed)}${attempts}.`;
}

function ofMany(results, errorInfo) {
  const failures = new Map();
  for (const { ok, error } of results) {
    if (ok) continue;
    const code = errorInfo(error)?.code ?? error?.name;
    failures.set(code, (failures.get(code) ?? 0) + 1);
  }
  const good = results.filter(({ ok }) => ok).length;
  const failed = [...failures].map(([code, count]) => `, ${count} × ${code}`).join('');
  const longest = Math.max(...results.map(({ elapsed }) => elapsed));
  return `${good} of ${results.length} succeeded${failed}; all settled after ${duration(longest)}.`;
}
