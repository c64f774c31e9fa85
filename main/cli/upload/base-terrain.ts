import { UsageError } from '../usage-error.ts';
import type { Uploader } from './uploader.ts';

/**
 * The id of the terrain that was named by id or by name; null for none. An id is taken as it is.
 * @throws UsageError where no terrain of the account, or more than one, has that name; what listing throws
 */
export async function findBaseTerrain(
  named: string | undefined,
  { terrainsCalled }: Pick<Uploader, 'terrainsCalled'>,
): Promise<number | null> {
  if (named === undefined) return null;
  if (/^[1-9]\d{0,14}$/.test(named)) return Number(named);
  const found = await terrainsCalled(named);
  if (found.length > 1) {
    const ids = { names: found.map(({ id }) => String(id)) };
    throw new UsageError({ key: 'cli.upload.terrainSeveral', values: { name: named, ids } });
  }
  if (!found[0]) throw new UsageError({ key: 'cli.upload.terrainUnknown', values: { name: named } });
  return found[0].id;
}
