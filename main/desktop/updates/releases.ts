import type { Offer, UpdateChannel } from './update-policy.ts';

/** Where newer releases come from, and how one takes the place of this one. */
export interface Releases {
  /** False where this copy came by a package or an administrator, who update it too. */
  readonly installs: boolean;
  /** What the feed offers, whichever version that is. Throws `update-unreachable`; `update-refused` where its publisher has not signed it. */
  offered(channel: UpdateChannel): Promise<Offer>;
  /**
   * Fetches what was offered last and checks it. Throws `update-unreachable`, `update-refused`, `update-not-kept`; also when the signal aborts it. Then nothing of it is
   * kept. `onPercent`: whole, 0 to 100.
   */
  download(signal: AbortSignal, onPercent: (percent: number) => void): Promise<void>;
  /** Puts what was downloaded in the place of this program, and starts it if wanted. The program's last act: it waits for nothing. */
  install(restart: boolean): void;
}
