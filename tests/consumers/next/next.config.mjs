const root = import.meta.dirname;

export default { distDir: process.env.CONSUMER_OUTPUT, outputFileTracingRoot: root, turbopack: { root } };
