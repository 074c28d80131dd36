// Prints, as JSON, the sizes of each file of a directory that a browser could load: raw, gzip -9, brotli 11.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const directory = process.argv[2];
const brotli = (bytes) =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });

const rows = readdirSync(directory)
  .filter((name) => /\.(js|wasm)$/.test(name))
  .sort()
  .map((name) => {
    const bytes = readFileSync(join(directory, name));
    return { name, raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotli(bytes).length };
  });
console.log(JSON.stringify(rows));
