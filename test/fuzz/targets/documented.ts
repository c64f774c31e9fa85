import { TileliftError } from '../../../main/errors.ts';

/** Code of our error, or null for a crash. */
export function ourError(error: unknown): string | null {
  return error instanceof TileliftError && error.code !== 'internal' ? error.code : null;
}
