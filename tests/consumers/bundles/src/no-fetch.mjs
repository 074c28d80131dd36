for (const name of ['fetch', 'Headers', 'Request', 'Response']) delete globalThis[name];
