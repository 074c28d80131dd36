const { join } = require('node:path');

module.exports = {
  mode: 'production',
  entry: { main: './src/page.mjs', worker: './src/worker-page.mjs' },
  output: { path: join(__dirname, 'dist-rspack') },
  performance: { hints: false },
  stats: 'errors-warnings',
};
