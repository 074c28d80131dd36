// Objects as a caller may hand them over: partial, frozen, behind a Proxy, or throwing in one of their members.

const thrower = () => { throw new Error('hostile'); };
const TRAPS = ['get', 'has', 'ownKeys', 'getPrototypeOf', 'setPrototypeOf', 'getOwnPropertyDescriptor', 'defineProperty', 'set'];

/** The names of all members, those of the classes too. */
function membersOf(object) {
  const names = new Set();
  for (let one = object; one && one !== Object.prototype; one = Object.getPrototypeOf(one)) {
    for (const name of Reflect.ownKeys(one)) if (name !== 'constructor') names.add(name);
  }
  return [...names];
}

/** Members as if they were the object's own: functions keep their receiver. */
const read = (object, name) => {
  const value = Reflect.get(object, name, object);
  return typeof value === 'function' ? value.bind(object) : value;
};

const guarded = (object, refuses) => new Proxy(object, {
  get: (target, name) => (refuses(name) ? thrower() : read(target, name)),
});

const WAYS = {
  partial(draw, object) {
    const missing = draw.pick(membersOf(object));
    const copy = {};
    for (const name of membersOf(object)) {
      if (name !== missing) Object.defineProperty(copy, name, { get: () => read(object, name), enumerable: true, configurable: true });
    }
    return [`without ${String(missing)}`, copy];
  },
  odd(draw, object) {
    const name = draw.pick(membersOf(object));
    const value = draw.pick([undefined, null, 7, 'text', Symbol('s'), 1n, {}, [], { valueOf: thrower, toString: thrower }, () => {}, thrower]);
    return [`whose ${String(name)} is ${typeof value}`, new Proxy(object, { get: (target, one) => (one === name ? value : read(target, one)) })];
  },
  frozen(draw, object) {
    try {
      Object.freeze(object);
    } catch {
      // Bytes cannot be.
    }
    return ['frozen', object];
  },
  unbound: (draw, object) => ['behind a proxy', new Proxy(object, {})],
  bound: (draw, object) => ['behind a proxy that binds', guarded(object, () => false)],
  trap(draw, object) {
    const trap = draw.pick(TRAPS);
    return [`behind a proxy whose ${trap} throws`, new Proxy(object, { [trap]: thrower })];
  },
  member(draw, object) {
    const name = draw.pick(membersOf(object));
    return [`whose ${String(name)} throws`, guarded(object, (one) => one === name)];
  },
  method(draw, object) {
    const name = draw.pick(membersOf(object));
    return [`whose ${String(name)} throws when it is called`, new Proxy(object, { get: (target, one) => (one === name ? thrower : read(target, one)) })];
  },
  later(draw, object) {
    let left = draw.below(12);
    return [`that throws after ${left} looks`, guarded(object, () => left-- <= 0)];
  },
  getter(draw, object) {
    const name = draw.pick(membersOf(object));
    try {
      Object.defineProperty(object, name, { get: thrower, configurable: true });
    } catch {
      // It cannot be changed.
    }
    return [`with a getter ${String(name)} that throws`, object];
  },
  revoked(draw, object) {
    const { proxy, revoke } = Proxy.revocable(object, {});
    revoke();
    return ['behind a revoked proxy', proxy];
  },
};

/** @returns {[string, object]} how it was distorted, and what came of it */
export const distort = (draw, object) => WAYS[draw.pick(Object.keys(WAYS))](draw, object);
