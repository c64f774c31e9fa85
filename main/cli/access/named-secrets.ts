import { join } from 'node:path';
import type { SecretPlace } from '../../../shared/schemas/alerts.ts';
import type { NamedSecrets } from '../../alerts/alert-secrets.ts';
import type { Log } from '../../log.ts';
import type { Settings } from '../../settings.ts';
import type { Environment } from '../process.ts';
import { readSecretFile, SecretRefused } from './secret-file.ts';

/**
 * The secret at a place that was named: a file of mode 0600, or one of the credentials that systemd gives the
 * service (`LoadCredential=`).
 * @throws SecretRefused
 */
export function readNamedSecret(place: SecretPlace, env: Environment): string {
  if ('file' in place) return readSecretFile(place.file);
  const folder = env.CREDENTIALS_DIRECTORY;
  if (!folder) throw new SecretRefused('missing', place.credential);
  return readSecretFile(join(folder, place.credential), true);
}

/**
 * The secrets of alerts, read anew each time that one is needed, so that one that is replaced counts at once.
 * Of a place that can't be used the log says why.
 */
export function createNamedSecrets(
  places: () => Settings['alertSecretPlaces'],
  env: Environment,
  log: Log,
): NamedSecrets {
  const read = (place: SecretPlace | null) => {
    if (place === null) return null;
    try {
      return readNamedSecret(place, env);
    } catch (thrown) {
      if (!(thrown instanceof SecretRefused)) throw thrown;
      log.error({ place, why: thrown.why }, 'a secret of alerts can’t be used');
      return null;
    }
  };
  return {
    mailPassword: () => read(places().mailPassword),
    webhookKey: () => read(places().webhookKey),
    webhookHeaders: () => {
      const values = Object.entries(places().webhookHeaders).map(([name, place]) => [name, read(place)]);
      return values.some(([, value]) => value === null) ? null : Object.fromEntries(values);
    },
  };
}
