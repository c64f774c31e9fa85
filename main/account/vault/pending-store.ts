import type { Log } from '../../log.ts';
import { parseJson } from '../../service/answer.ts';
import { type PendingSignIn, pendingSignInSchema, signInLifeMs } from '../authorization-request.ts';
import type { Vault } from './vault.ts';

const key = 'pending-sign-in';

/** The pending request in the vault. There is one at most: the last sign-in wins. */
interface PendingStore {
  /**
   * Null when there is none, it has passed, or is further off than a sign-in lasts: the clock was put back.
   */
  read(now: number): PendingSignIn | null;
  write(pending: PendingSignIn): void;
  clear(): void;
}

export function createPendingStore(vault: Vault, log: Log): PendingStore {
  function clear(): void {
    try {
      vault.delete(key);
    } catch (cause) {
      // It is out of memory at least, and what stays on disk ends after ten minutes.
      log.error({ cause }, 'The pending sign-in could not be taken out of the vault.');
    }
  }

  return {
    read: (now) => {
      const pending = pendingSignInSchema.safeParse(parseJson(vault.get(key) ?? '')).data;
      if (pending && now < pending.endsAt && pending.endsAt - now <= signInLifeMs) return pending;
      clear();
      return null;
    },
    write: (pending) => {
      try {
        vault.set(key, JSON.stringify(pending));
      } catch (cause) {
        log.error({ cause }, 'The pending sign-in could not be written; it is kept in memory.');
      }
    },
    clear,
  };
}
