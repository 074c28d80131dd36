// The module as WebAssembly and the module translated to JavaScript are one engine: the same inputs give the same answers,
// number by number.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { fileUrl, packageDirectory, stageDirectory } from './harness/places.mjs';
import { random } from './harness/random.mjs';

/** A module of the facade, without its types. */
const staged = (name) => import(fileUrl(join(stageDirectory, name)));

const { DEFAULTS } = await staged('generated.js');
const {
  ACTION_END_WELL,
  ACTION_ID,
  ACTION_MASK,
  ACTION_RETRY,
  ACTION_SEND,
  ACTION_SHARE,
  ACTION_SHIFT,
  OUT_SIZE,
  OUT_STARTED,
  RETRY_ATTEMPT,
  SEND_ATTEMPT,
} = await staged('protocol.js');
const { default: translated } = await import(fileUrl(join(packageDirectory, 'translated.js')));
const module = new WebAssembly.Module(readFileSync(join(packageDirectory, 'steadfetch_bg.wasm')));

/** What the engine has said, by the kind of action. */
const seen = new Set();

/** How many inputs each engine gets, and in how many lives. */
const INPUTS = 150_000;
const LIVES = 300;

/** Numbers that have been wrong somewhere: the edges of what 32 and 64 bits hold, halves, and no number. */
const EDGES = [NaN, 0, 1, 0.5, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 53 + 2, 1e21, Infinity, -1];
/** One of the two, with its arrays. */
function engine(exports, seed) {
  const input = exports.setup(...seed) >>> 3;
  return {
    exports,
    write: (numbers) => new Float64Array(exports.memory.buffer).set(numbers, input),
    /** What an export gives: a copy of `OUT`. */
    run(name, ...args) {
      const out = exports[name](...args) >>> 3;
      const memory = new Float64Array(exports.memory.buffer);
      return memory.slice(out, out + memory[out]);
    },
  };
}

/** A life of both engines: calls begin, events come in any order, some of them of attempts that are over. */
function live(seed, inputs) {
  const { next, below, chance, pick } = random(seed);
  const keys = [1, 2, 3, 4].map(() => below(2 ** 32));
  const both = [engine(new WebAssembly.Instance(module).exports, keys), engine(translated(), keys)];
  const calls = new Map();
  let now = below(1_000);
  let told = 0;

  function tell(name, ...args) {
    told++;
    const [one, other] = both.map((each) => each.run(name, ...args));
    assert.deepEqual(other, one, `seed ${seed}, input ${told}: ${name}(${args.join(', ')})`);
    return one;
  }

  /** Notes which calls there are: only the ends and the attempts are of interest here. */
  function heed(out, started) {
    if (started) calls.set(out[OUT_STARTED], 1);
    for (let place = OUT_SIZE; place < out.length; place += out[place] >> ACTION_SHIFT) {
      const kind = out[place] & ACTION_MASK;
      const id = out[place + ACTION_ID];
      seen.add(kind);
      if (kind >= ACTION_END_WELL) calls.delete(id);
      else if (kind === ACTION_SEND || kind === ACTION_SHARE) calls.set(id, out[place + SEND_ATTEMPT]);
      else if (kind === ACTION_RETRY) calls.set(id, out[place + RETRY_ATTEMPT]);
    }
  }

  const amount = () => (chance(0.1) ? pick(EDGES) : chance(0.5) ? below(100) : below(60_000));
  const facts = () => {
    const numbers = [now, below(9), below(4_096), below(3), below(3), below(3), below(3)];
    // Few numbers for what calls share, so that they do share it.
    for (let place = 0; place < 4; place++) numbers.push(chance(0.5) ? 0 : 1 + below(3));
    numbers.push(below(4), chance(0.8) ? Infinity : now + below(5_000), chance(0.7) ? 0 : 1 + below(2), chance(0.8) ? 0 : 1 + below(2));
    for (const value of DEFAULTS) numbers.push(chance(0.6) ? value : amount());
    return numbers;
  };

  while (told < inputs) {
    now += chance(0.3) ? 0 : below(chance(0.05) ? 20_000 : 300);
    const [id, attempt] = calls.size ? [...calls][below(calls.size)] : [1, 1];
    const current = chance(0.9) ? attempt : attempt + 1;
    const kind = below(20);
    if (kind < 4 || !calls.size) {
      const numbers = facts();
      both.forEach((each) => each.write(numbers));
      heed(tell('start', now), true);
    } else if (kind < 8) heed(tell('tick', now, chance(0.9) ? 1 : 0));
    else if (kind < 11) heed(tell('head', now, id, current, pick([200, 204, 401, 404, 429, 503, 502]), amount(), chance(0.7) ? NaN : amount(), below(32)));
    else if (kind < 13) heed(tell('chunk', now, id, current, amount(), below(2)));
    else if (kind === 13) heed(tell('cancel', now, id, below(2)));
    else if (kind === 14 && chance(0.1)) heed(tell('hidden', now, below(2)));
    else if (kind === 15) {
      for (const { exports } of both) exports.auth(1 + (told % 2), 1, 0, 500, 100);
      heed(tell('auth_event', now, 1 + below(2), below(6), 1 + below(7), below(2), below(2), below(2), amount()));
    } else if (kind === 16 && chance(0.2)) {
      const key = 1 + below(3);
      const [one, other] = both.map(({ exports }) => [...new Float64Array(exports.memory.buffer, exports.circuit(now, key, 500), 3)]);
      assert.deepEqual(other, one);
    } else heed(tell('event', now, id, current, 1 + below(16), chance(0.5) ? below(20) : amount()));
  }
  return next();
}

test('both forms of the engine give the same answers', () => {
  for (let seed = 1; seed <= LIVES; seed++) live(seed, INPUTS / LIVES);
  const kinds = Array.from({ length: 20 }, (_, before) => before + 1);
  assert.deepEqual(kinds.filter((kind) => !seen.has(kind)), [], 'every kind of action came');
});

test('the translated engine makes as many instances as are asked for, each with a memory of its own', () => {
  const [one, other] = [translated(), translated()];
  assert.notEqual(one.memory.buffer, other.memory.buffer);
  one.setup(1, 2, 3, 4);
  assert.equal(other.setup(1, 2, 3, 4), translated().setup(1, 2, 3, 4), 'what one does, no other notices');
});
