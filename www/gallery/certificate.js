// The fault server's certificate is of its own making: cases over HTTPS can be played only where the browser accepts it.

export class Certificate {
  #origin;
  /** What to tell the visitor, and the address to be opened. */
  note = 'Its server speaks HTTPS with a certificate of its own making, which this browser does not accept.';
  href;

  constructor(server) {
    this.server = server;
  }

  /** Whether the browser accepts it. Asked each time: the visitor may have come round. */
  async trusted() {
    this.#origin ??= await this.server.open({ tls: true });
    const { origin } = this.#origin;
    try {
      await fetch(origin, { cache: 'no-store' });
      return true;
    } catch {
      this.href = origin;
      return false;
    }
  }
}
