// A page whose worker is built in Vite's default format, iife.
export default {
  build: { rollupOptions: { input: 'src/worker-page.mjs', output: { entryFileNames: 'main.js' } } },
};
