// Records what the page's Content-Security-Policy refused. A refusal looks like any network error, and its event comes after the rejection:
// it is looked up when a retry is due.

const KEPT = 32;
const violations: [uri: string, at: number][] = [];

export function watchPolicy(): void {
  globalThis.addEventListener?.('securitypolicyviolation', ({ blockedURI, effectiveDirective, disposition }) => {
    if (effectiveDirective !== 'connect-src' || disposition !== 'enforce') return;
    if (violations.push([blockedURI, performance.now()]) > KEPT) violations.shift();
  });
}

/** Whether a request of this URL was refused since. `blockedURI` is the URL, or only its origin. */
export const isForbidden = (href: string, since: number): boolean =>
  violations.some(([uri, at]) => at >= since && href.startsWith(uri) && new URL(uri).origin === new URL(href).origin);
