import { createHash } from 'node:crypto';

/**
 * What tells this computer's claims from those of others with the same settings: a copied disk image, a profile that follows its user, two sessions on one
 * terminal server. A hash, since the machine's own id is nobody else's business.
 *
 * @param machineId the computer's own id; null where it has none
 * @param place of the user's data on it
 */
export function machineOf(machineId: string | null, place: string): string {
  return createHash('sha256')
    .update(`tilelift claims\0${machineId ?? ''}\0${place}`)
    .digest('hex')
    .slice(0, 32);
}
