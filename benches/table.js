// What was found, for a terminal and for a README.

import { median } from './stats.js';
import { BARE } from './summary.js';

const us = (number) => number.toFixed(1);
const times = ({ value, low, high }) => `${value.toFixed(2)} (${low.toFixed(2)}..${high.toFixed(2)})`;
const range = ({ p10, median: middle, p90 }) => `${us(middle)} (${us(p10)}..${us(p90)})`;

export function terminal({ stubbed, network, budgets, duties, setting, confidence }) {
  return [
    setting,
    ...(confidence ? [confidence] : []),
    '',
    ...stubbed.flatMap((mode) => [...modeLines(mode), '']),
    ...networkLines(network),
    'what each does for it, tried out:',
    ...dutyLines(duties),
    '',
    ...budgetLines(budgets),
  ].join('\n');
}

function modeLines({ mode, rows }) {
  const line = (...cells) => cells[0].padEnd(20) + cells.slice(1).map((cell) => cell.padStart(22)).join('');
  return [
    mode,
    line('', 'us a call', 'added', 'x hand-written'),
    ...rows.map(({ name, perCall, added, toHandWritten }) =>
      added ? line(`  ${name}`, range(perCall), range(added), times(toHandWritten)) : line(`  ${name}`, range(perCall)),
    ),
  ];
}

function networkLines(network) {
  if (!network) return [];
  const middle = Object.entries(network).map(([name, rounds]) => `${name} ${Math.round(median(rounds))}`);
  return [`over loopback, one after the other, us a call: ${middle.join(', ')}`, ''];
}

function dutyLines(duties) {
  return Object.entries(duties).map(([name, held]) => {
    const missing = Object.entries(held).filter(([, holds]) => !holds);
    return `  ${name.padEnd(18)} ${missing.length > 0 ? `without: ${missing.map(([duty]) => duty).join(', ')}` : 'does all of it'}`;
  });
}

function budgetLines(budgets) {
  const line = ({ mode, name, than, limit, ratio, kept, certain }) =>
    `${kept ? 'within' : 'ABOVE '} ${limit}x of what ${than} adds: ${name}, ${mode}: ${times(ratio)}${certain ? '' : '; the limit is within the noise'}`;
  const closest = (than) => {
    const [first, ...rest] = budgets
      .filter((budget) => budget.than === than)
      .sort((left, right) => right.ratio.value - left.ratio.value);
    return [first, ...rest.filter(({ kept }) => !kept)];
  };
  const thans = [...new Set(budgets.map(({ than }) => than))];
  return ['budget, the closest of each and all that are above:', ...thans.flatMap(closest).map((each) => `  ${line(each)}`)];
}

/** Added microseconds, and the ratio to the hand-written wrapper, by contestant and mode. */
export function markdown({ stubbed, duties, setting }) {
  const names = stubbed[0].rows.map(({ name }) => name).filter((name) => name !== BARE);
  const cell = (mode, name) => {
    const { added, toHandWritten } = mode.rows.find((row) => row.name === name);
    return `${us(added.median)} (${toHandWritten.value.toFixed(1)}x)`;
  };
  const missing = (name) =>
    Object.entries(duties[name])
      .filter(([, holds]) => !holds)
      .map(([duty]) => duty)
      .join(', ');
  return [
    `| added to a call, us (x hand-written) | ${stubbed.map(({ mode }) => mode).join(' | ')} | without |`,
    `|---|${'---:|'.repeat(stubbed.length)}---|`,
    ...names.map((name) => `| ${name} | ${stubbed.map((mode) => cell(mode, name)).join(' | ')} | ${missing(name)} |`),
    '',
    setting,
  ].join('\n');
}
