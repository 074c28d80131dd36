// The entry for `require`, with everything in it: Node without ES modules, Jest, Electron, and bundlers of CommonJS. It names no module of
// Node, which a bundler for pages could not find.

import { takeChunks } from './chunks.js';
import full from './full.js';
import { runtime } from './runtime.js';
import { fullTexts } from './full-texts.js';
import { setSources } from './load.js';
import { FULL, LEAN } from './features.js';
import { useNode } from './node-runtime.js';
import { setTexts } from './texts.js';

setTexts(fullTexts);
takeChunks();
setSources({ inside_: full, holds_: FULL | LEAN });

if (runtime.isServer_) {
  const get = (name: string) => globalThis.process!.getBuiltinModule?.(name);
  const events = get('node:events');
  // Tests may run in a realm of their own (Jest). The process would keep it forever by what is subscribed there.
  const isOwnRealm = events instanceof Function;
  useNode({ ...events }, { ...(isOwnRealm && get('node:diagnostics_channel')) });
}

export * from './api.js';
