import { TileliftError } from '../../../main/errors.ts';

/** The code of an error of ours; null for all others, which are crashes. */
export function ourError(error: unknown): string | null {
  return error instanceof TileliftError && error.code !== 'internal' ? error.code : null;
}
