const { join } = require('node:path');

module.exports = {
  mode: 'production',
  entry: { main: './src/page.mjs', worker: './src/worker-page.mjs' },
  output: { path: join(__dirname, 'dist-webpack') },
  performance: { hints: false },
  stats: 'errors-warnings',
};
