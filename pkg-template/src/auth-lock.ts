// Takes the lock that the tabs of an origin share, so that one of them refreshes (Web Locks, W3C).

import { provided } from './provided.js';

/** How long what one tab writes may take to be read by the others. */
const SPREAD = 100;

const locksOf = (): LockManager | undefined => (globalThis as { navigator?: Navigator }).navigator?.locks;

/** Whether tabs can wait for each other here. */
export const hasLocks = (): boolean => typeof locksOf()?.request === 'function';

/** One request for a lock, and the lock that it gets. */
export class TabLock {
  private readonly name_: string;
  private readonly controller_ = new AbortController();
  private readonly free_: () => void;
  private isHeld_ = false;
  private isLost_ = false;
  private isOver_ = false;
  /** The client of the platform that got it. */
  private client_: string | undefined;

  /**
   * @param isSteal whether to take it from whoever has it
   * @param refused the platform gives no lock
   */
  constructor(name: string, isSteal: boolean, granted: () => void, refused: () => void) {
    this.name_ = name;
    let free!: () => void;
    const over = new Promise<void>((resolve) => {
      free = resolve;
    });
    this.free_ = free;
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
    provided.promised_(() => locksOf()!.request(name, options, hold)).catch(() => {
      if (this.isHeld_) this.isLost_ = true;
      else if (!this.isOver_) refused();
    });
  }

  /**
   * Gives it back, or gives up waiting for it. A moment later: what has been written to localStorage is not seen by other tabs
   * before this task ends (Firefox), or before their processes have heard of it (Chromium), and who has the lock next looks
   * there for the new token.
   */
  release_(): void {
    this.isOver_ = true;
    this.controller_.abort();
    setTimeout(this.free_, SPREAD);
  }

  /** Whether the lock is still ours. A tab that was frozen may not have heard that it was stolen, so this asks the platform. */
  async isOurs_(): Promise<boolean> {
    const holders = await this.holders_();
    return !this.isLost_ && (this.client_ === undefined || holders.includes(this.client_));
  }

  /** The clients that have it: one or none. */
  private async holders_(): Promise<string[]> {
    try {
      const { held = [] } = await locksOf()!.query();
      return held.filter(({ name }) => name === this.name_).map(({ clientId }) => clientId!);
    } catch {
      return [];
    }
  }
}
