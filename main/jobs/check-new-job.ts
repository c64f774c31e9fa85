import { assetTypeShape } from '../../shared/assets.ts';
import { fitsAssetType } from '../../shared/kinds.ts';
import { TileliftError } from '../errors.ts';
import type { NewJob } from './model.ts';

/**
 * Contract 2.2.
 *
 * @throws TileliftError `source-missing`, `asset-name-empty`, `asset-type-unknown`, `source-type-empty`,
 * `source-type-mismatch`
 */
export function checkNewJob({ paths, body }: NewJob): void {
  if (paths.length === 0)
    throw new TileliftError('source-missing', { subject: { key: 'general.givenPlace' } });
  if (body.name.trim() === '') throw new TileliftError('asset-name-empty');
  if (!assetTypeShape.test(body.type)) throw new TileliftError('asset-type-unknown', { subject: body.type });
  const { sourceType } = body.options;
  if (sourceType.trim() === '') throw new TileliftError('source-type-empty');
  if (!fitsAssetType(sourceType, body.type)) {
    throw new TileliftError('source-type-mismatch', { subject: body.type });
  }
}
