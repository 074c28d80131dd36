// The test runner takes a global that has `self`, and is not Deno's, for a page. It looks before it says how tests are invoked: so
// long `self` is hidden. The tests see the one of Bun.

const own = Object.getOwnPropertyDescriptor(globalThis, 'self');
delete globalThis.self;

Object.defineProperty(globalThis, '__wbg_test_invoke', {
  configurable: true,
  set(value) {
    Object.defineProperties(globalThis, { __wbg_test_invoke: { value }, self: own });
  },
});
