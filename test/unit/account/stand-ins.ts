import type { Cipher, Vault } from '../../../main/account/vault/vault.ts';
import type { Clock } from '../../../main/ports.ts';
import { type Settings, type SettingsStore, settingsSchema } from '../../../main/settings.ts';
import { withWaitCheck } from '../../wait-check.ts';

/** In-memory settings. */
export function settingsInMemory(initialSettings: Partial<Settings> = {}): SettingsStore {
  let settings: Settings = settingsSchema.parse(initialSettings);
  return {
    get: () => settings,
    update: (change) => {
      settings = settingsSchema.parse({ ...settings, ...change });
    },
  };
}

/** A clock that only moves on command. */
export interface ManualClock extends Clock {
  /** Advances time and wakes all sleepers that are due. */
  advance(ms: number): void;
  /** Moves the wall clock forward without passing time. */
  jump(ms: number): void;
  sleepers(): number;
}

export function manualClock(startAt = 1_750_000_000_000): ManualClock {
  let now = startAt;
  let jumpedMs = 0;
  const sleeping = new Set<{ readonly until: number; readonly wake: () => void }>();
  return withWaitCheck({
    now: () => now + jumpedMs,
    elapsed: () => now,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason);
          return;
        }
        const sleeper = { until: now + ms, wake: resolve };
        sleeping.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleeping.delete(sleeper);
          reject(signal.reason);
        });
      }),
    advance: (ms: number) => {
      now += ms;
      for (const sleeper of [...sleeping].filter(({ until }) => until <= now)) {
        sleeping.delete(sleeper);
        sleeper.wake();
      }
    },
    jump: (ms: number) => {
      jumpedMs += ms;
    },
    sleepers: () => sleeping.size,
  });
}

export type MemoryVault = Vault & { readonly entries: Map<string, string> };

/** A vault with visible entries. */
export function memoryVault(entries = new Map<string, string>()): MemoryVault {
  return {
    persistent: true,
    entries,
    keys: () => [...entries.keys()],
    get: (key) => entries.get(key),
    set: (key, value) => {
      entries.set(key, value);
    },
    delete: (key) => {
      entries.delete(key);
    },
  };
}

/** A simple cipher for tests, bound to its key like a keychain. */
export function testCipher(key = 0x5a, available = true): Cipher {
  const mark = Buffer.from([0xc0, key]);
  return {
    available: () => available,
    encrypt: (plain) => Buffer.concat([mark, Buffer.from(plain).map((byte) => byte ^ key)]),
    decrypt: (sealedBytes) => {
      if (!sealedBytes.subarray(0, 2).equals(mark)) throw new Error('sealed with another key');
      return Buffer.from(sealedBytes.subarray(2).map((byte) => byte ^ key)).toString();
    },
  };
}
