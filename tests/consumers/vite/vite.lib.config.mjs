// Vite's library mode, for a script tag.
export default {
  build: { lib: { entry: 'src/page.mjs', formats: ['iife'], name: 'consumer', fileName: () => 'main.js' } },
};
