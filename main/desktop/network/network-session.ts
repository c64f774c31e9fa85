import { type ProxyConfig, type Session, session } from 'electron';
import type { Log } from '../../log.ts';
import { trustAuthorityFile } from './extra-authorities.ts';

export interface NetworkSession {
  /** The one that counts now; in memory only. */
  readonly session: () => Session;
  /** Begins another one: Chromium remembers whom it trusted, and whom not, as long as a session lives. */
  readonly renew: () => Promise<void>;
}

/**
 * Chromium's network, apart from that of the pages. `name`: tells several apart. `proxy`: null for what the system is set to, and the program was started with.
 */
export async function openNetwork(
  name: string,
  caFile: () => string | null,
  proxy: ProxyConfig | null,
  log: Log,
): Promise<NetworkSession> {
  let number = 0;
  const open = async () => {
    number += 1;
    const made = session.fromPartition(`${name}-${number}`, { cache: false });
    if (proxy) await made.setProxy(proxy);
    await trustAuthorityFile(made, caFile(), log);
    return made;
  };
  let current = await open();
  return {
    session: () => current,
    renew: async () => {
      current = await open();
    },
  };
}
