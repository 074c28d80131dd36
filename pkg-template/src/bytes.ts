// Decodes the engine's module from text, one character for most bytes. Unlike base64 it keeps every byte whole, so servers compress it like
// the module itself: 4.6 KB of brotli less. The text is ASCII, since a page may take a script for another encoding.
// xtask/src/build/text.rs writes it.

/** Not used, since they are escaped in strings, or end the script of a page. */
const UNUSED = '"$\'<\\`';
/** Values of two characters begin with one of the first two. */
const ESCAPES = 2;

export function decode(text: string): Uint8Array<ArrayBuffer> {
  const values = new Uint8Array(127);
  let used = 0;
  for (let code = 32; code < 127; code++) if (!UNUSED.includes(String.fromCharCode(code))) values[code] = used++;
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const value = values[text.charCodeAt(at)]!;
    bytes[length++] = value < ESCAPES ? used - ESCAPES + value * used + values[text.charCodeAt(++at)]! : value - ESCAPES;
  }
  return bytes.slice(0, length);
}
