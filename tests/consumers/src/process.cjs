// The process in CommonJS.

const { smoke } = require('./smoke.cjs');

smoke(process.argv.at(-1)).then((report) => console.log(JSON.stringify(report)));
