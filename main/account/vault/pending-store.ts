import type { Log } from '../../log.ts';
import { parseJson } from '../../service/answer.ts';
import { type PendingSignIn, pendingSignInSchema, signInLifeMs } from '../model/authorization-request.ts';
import type { Vault } from './vault.ts';

const key = 'pending-sign-in';

/** A newer request replaces it. */
interface PendingStore {
  /** Null if missing, expired, or too far ahead (the clock was set back). */
  read(nowMs: number): PendingSignIn | null;
  write(pendingSignIn: PendingSignIn): void;
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
      const pendingSignIn = pendingSignInSchema.safeParse(parseJson(vault.get(key) ?? '')).data;
      if (pendingSignIn && nowMs < pendingSignIn.endsAt && pendingSignIn.endsAt - nowMs <= signInLifeMs)
        return pendingSignIn;
      clear();
      return null;
    },
    write: (pendingSignIn) => {
      try {
        vault.set(key, JSON.stringify(pendingSignIn));
      } catch (cause) {
        log.error({ cause }, 'The pending sign-in could not be written; it is kept in memory.');
      }
    },
    clear,
  };
}
