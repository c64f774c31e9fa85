import type { Asset } from '../service/model.ts';
import type { AssetFilter } from './protocol.ts';

export type { AssetFilter };

/** Ignores the status's case. Pure. */
export function isWanted(asset: Asset, { status, type, name }: AssetFilter): boolean {
  return (
    (status === undefined || asset.status === status.toUpperCase()) &&
    (type === undefined || asset.type === type) &&
    (name === undefined || asset.name === name)
  );
}
