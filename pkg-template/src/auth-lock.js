// The lock that the tabs of an origin share, so that one of them refreshes (Web Locks, W3C).

import { lent } from './lent.js';

/** How long what one tab writes may take to be read by the others. */
const SPREAD = 100;

const locksOf = () => globalThis.navigator?.locks;

/** Whether tabs can wait for each other here. */
export const hasLocks = () => typeof locksOf()?.request === 'function';

/** One request for a lock, and the lock that it gets. */
export class TabLock {
  /**
   * @param {string} name
   * @param {boolean} isSteal whether to take it from whoever has it
   * @param {() => void} granted
   * @param {() => void} refused the platform gives no lock
   */
  constructor(name, isSteal, granted, refused) {
    this.name_ = name;
    this.isHeld_ = this.isLost_ = this.isOver_ = false;
    this.controller_ = new AbortController();
    const over = new Promise((resolve) => {
      this.free_ = resolve;
    });
    const options = isSteal ? { steal: true } : { signal: this.controller_.signal };
    const hold = async () => {
      // Given up before it came.
      if (this.isOver_) return;
      this.isHeld_ = true;
      this.client_ = (await this.holders_())[0];
      if (this.isOver_) return;
      granted();
      await over;
    };
    lent.promised_(() => locksOf().request(name, options, hold)).catch(() => {
      if (this.isHeld_) this.isLost_ = true;
      else if (!this.isOver_) refused();
    });
  }

  /**
   * Gives it back, or gives up waiting for it. A moment later: what has been written to localStorage is not seen by other tabs
   * before this task ends (Firefox), or before their processes have heard of it (Chromium), and who has the lock next looks
   * there for the new token.
   */
  release_() {
    this.isOver_ = true;
    this.controller_.abort();
    setTimeout(this.free_, SPREAD);
  }

  /** Whether nobody has taken it meanwhile. A tab that was frozen may not have heard of that yet: so the platform is asked. */
  async isOurs_() {
    const holders = await this.holders_();
    return !this.isLost_ && (this.client_ === undefined || holders.includes(this.client_));
  }

  /** The clients that have it: one or none. */
  async holders_() {
    try {
      const { held } = await locksOf().query();
      return held.filter(({ name }) => name === this.name_).map(({ clientId }) => clientId);
    } catch {
      return [];
    }
  }
}
