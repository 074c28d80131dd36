import { nodeResolve } from '@rollup/plugin-node-resolve';

export default {
  input: 'src/page.mjs',
  output: { dir: 'dist-rollup', format: 'es', entryFileNames: 'main.js' },
  plugins: [nodeResolve({ browser: true })],
};
