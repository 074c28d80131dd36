// How a wasm instance dies, for real: by the traps of a module of our own, run in place of an export of the engine, and by a
// memory that cannot grow.

/** `panic` is `unreachable`, which is what a panic comes to; `overflow` calls itself without end. */
const MODULE = new Uint8Array([
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00,
  0x01, 0x04, 0x01, 0x60, 0x00, 0x00,
  0x03, 0x03, 0x02, 0x00, 0x00,
  0x07, 0x14, 0x02, 0x05, 0x70, 0x61, 0x6e, 0x69, 0x63, 0x00, 0x00, 0x08, 0x6f, 0x76, 0x65, 0x72, 0x66, 0x6c, 0x6f, 0x77, 0x00, 0x01,
  0x0a, 0x0a, 0x02, 0x03, 0x00, 0x00, 0x0b, 0x04, 0x00, 0x10, 0x01, 0x0b,
]);

/** @returns {{ panic: () => void, overflow: () => void }} */
export const traps = () => new WebAssembly.Instance(new WebAssembly.Module(MODULE)).exports;

const MEMORY_SECTION = 5;

/** The same module, whose memory has no more pages than it begins with. @param {Uint8Array} bytes */
export function withoutGrowth(bytes) {
  let at = 8;
  /** An unsigned LEB128. */
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at];
      at += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const start = at;
    const id = number();
    const size = number();
    if (id !== MEMORY_SECTION) {
      at += size;
      continue;
    }
    const end = at + size;
    // One memory, its flags, its first pages.
    at += 2;
    const least = at;
    number();
    const pages = [...bytes.subarray(least, at)];
    const section = [1, 1, ...pages, ...pages];
    return Uint8Array.from([...bytes.subarray(0, start), MEMORY_SECTION, section.length, ...section, ...bytes.subarray(end)]);
  }
  throw new Error('the module has no memory of its own');
}
