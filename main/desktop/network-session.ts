import { type Session, session } from 'electron';
import type { Log } from '../log.ts';
import { trustAuthorityFile } from './extra-authorities.ts';

export interface NetworkSession {
  /** The one that counts now; in memory only. */
  readonly session: () => Session;
  /** Begins another one: Chromium remembers whom it trusted, and whom not, as long as a session lives. */
  readonly renew: () => void;
}

/** Chromium's network for calls to services, apart from that of the pages. */
export function openNetwork(caFile: () => string | null, log: Log): NetworkSession {
  let number = 0;
  const open = () => {
    number += 1;
    const made = session.fromPartition(`network-${number}`, { cache: false });
    trustAuthorityFile(made, caFile(), log);
    return made;
  };
  let current = open();
  return {
    session: () => current,
    renew: () => {
      current = open();
    },
  };
}
