import { nodeResolve } from '@rollup/plugin-node-resolve';

export default {
  input: 'src/page.mjs',
  output: { file: 'dist-rollup-iife/main.js', format: 'iife' },
  plugins: [nodeResolve({ browser: true })],
};
