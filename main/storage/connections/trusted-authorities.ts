import { getCACertificates } from 'node:tls';

/**
 * Certificate authorities to trust, PEM: Node's own, the system's (where offices keep theirs), and further ones. Null where that is no more than
 * Node's own: these are then not read again for each thread, which takes its time.
 */
export function trustedAuthorities(further: readonly string[]): readonly string[] | null {
  const own = getCACertificates('default');
  const all = new Set([...own, ...systemAuthorities(), ...further]);
  return all.size === new Set(own).size ? null : [...all];
}

let systemOnes: readonly string[] | undefined;

/** Read once: they come from many files. Left out where they can't be read. */
function systemAuthorities(): readonly string[] {
  try {
    systemOnes ??= getCACertificates('system');
  } catch {
    systemOnes = [];
  }
  return systemOnes;
}
