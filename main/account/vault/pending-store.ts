import type { Log } from '../../log.ts';
import { parseJson } from '../../service/answer.ts';
import { type PendingSignIn, pendingSignInSchema, signInLifeMs } from '../model/authorization-request.ts';
import type { Vault } from './vault.ts';

const key = 'pending-sign-in';

/** A newer request replaces it. */
interface PendingStore {
  /** Null if missing, expired, or too far ahead (the clock was set back). */
  read(nowMs: number): PendingSignIn | null;
  write(pending: PendingSignIn): void;
  clear(): void;
}

export function createPendingStore(vault: Vault, log: Log): PendingStore {
  function clear(): void {
    try {
      vault.delete(key);
    } catch (cause) {
      // It expires after ten minutes.
      log.error({ cause }, 'The pending sign-in could not be taken out of the vault.');
    }
  }

  return {
    read: (nowMs) => {
      const pending = pendingSignInSchema.safeParse(parseJson(vault.get(key) ?? '')).data;
      if (pending && nowMs < pending.endsAt && pending.endsAt - nowMs <= signInLifeMs) return pending;
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
