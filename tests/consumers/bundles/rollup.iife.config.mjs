import { nodeResolve } from '@rollup/plugin-node-resolve';

// The entry for production splits, which this format cannot: Rollup puts the pieces inside.
export default {
  input: 'src/page.mjs',
  output: { file: 'dist-rollup-iife/main.js', format: 'iife', inlineDynamicImports: true },
  plugins: [nodeResolve({ browser: true })],
};
