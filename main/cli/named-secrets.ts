import { join } from 'node:path';
import type { SecretPlace } from '../../shared/schemas/alerts.ts';
import type { NamedSecrets } from '../alerts/alert-secrets.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings.ts';
import type { Environment } from './process.ts';
import { readSecretFile, SecretRefused } from './secret-file.ts';

/** @throws SecretRefused */
export function readNamedSecret(place: SecretPlace, env: Environment): string {
  if ('file' in place) return readSecretFile(place.file);
  const folder = env.CREDENTIALS_DIRECTORY;
  if (!folder) throw new SecretRefused('missing', place.credential);
  return readSecretFile(join(folder, place.credential), true);
}

/** Read on each use, so that changes apply at once. */
export function createNamedSecrets(
  places: () => Settings['alertSecretPlaces'],
  env: Environment,
  log: Log,
): NamedSecrets {
  const read = (place: SecretPlace | null) => {
    if (place === null) return null;
    try {
      return readNamedSecret(place, env);
    } catch (error) {
      if (!(error instanceof SecretRefused)) throw error;
      log.error({ place, why: error.why }, 'a secret of alerts can’t be used');
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
