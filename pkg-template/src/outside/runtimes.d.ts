// What only some runtimes and tools have, as far as the entries use it.

declare module 'node:diagnostics_channel' {
  export const subscribe: (name: string, listener: (message: unknown) => void) => void;
}

declare module 'node:events' {
  export const setMaxListeners: (most: number, signal: AbortSignal) => void;
}

/** Of Node. */
declare var process: { readonly env?: Record<string, string | undefined>; readonly getBuiltinModule?: (name: string) => object } | undefined;

/** Of Deno. */
declare var Deno: Record<'refTimer' | 'unrefTimer', (timer: number) => void> | undefined;

/** Of workerd. */
declare var WebSocketPair: new () => readonly [WebSocket, WebSocket];

/** Of Vite. */
interface ImportMeta {
  readonly env?: { readonly PROD?: boolean };
}
