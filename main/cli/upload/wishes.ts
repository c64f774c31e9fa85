import { basename, extname } from 'node:path';
import { type AssetType, assetTypes } from '../../../shared/assets.ts';
import { creationOptions, isFurtherOptions, maxOptionsLength } from '../../../shared/creation-options.ts';
import { findKind, fitsAssetType, kinds } from '../../../shared/kinds.ts';
import type { DecidedAsset } from '../../inspect/session/session.ts';
import type { CreationBody } from '../../service/model.ts';
import { UsageError } from '../usage-error.ts';

/** What `tilelift upload` is called with, besides its paths. */
export interface UploadOptions {
  readonly type?: string;
  readonly sourceType?: string;
  readonly name?: string;
  readonly description?: string;
  readonly options?: string;
  readonly clampToTerrain: boolean;
  readonly baseTerrain?: string;
  readonly oneEach: boolean;
  /** False with `--no-wait`. */
  readonly wait: boolean;
  readonly check: boolean;
  readonly acceptForecast: boolean;
  readonly again: boolean;
  /** Minutes. */
  readonly giveUpAfter: number;
}

const maxGiveUpMinutes = 7 * 24 * 60;

/** Minutes of `--give-up-after`. Throws `UsageError`. */
export function parseMinutes(text: string): number {
  const minutes = Number(text);
  if (!(minutes > 0 && minutes <= maxGiveUpMinutes))
    throw new UsageError({ key: 'cli.upload.minutes', values: { given: text } });
  return minutes;
}

/**
 * The asset type of `--type`: in any case. Throws `UsageError`.
 */
function assetTypeCalled(word: string): AssetType {
  const found = assetTypes.find((type) => type === word.trim().toUpperCase());
  if (!found)
    throw new UsageError({ key: 'cli.upload.type', values: { type: word, types: { names: assetTypes } } });
  return found;
}

/** What can be told wrong before anything is looked at. Throws `UsageError`. */
export function checkUploadOptions(options: UploadOptions): void {
  if (options.type !== undefined) assetTypeCalled(options.type);
  if (options.options !== undefined && options.options.length > maxOptionsLength)
    throw new UsageError({ key: 'cli.upload.options' });
  if (options.options !== undefined && !isFurtherOptions(options.options))
    throw new UsageError({ key: 'cli.upload.options' });
  if (options.baseTerrain !== undefined && !options.clampToTerrain)
    throw new UsageError({ key: 'cli.upload.baseTerrainAlone' });
  if (options.oneEach && options.name !== undefined) throw new UsageError({ key: 'cli.upload.nameForEach' });
}

/**
 * The request that a source becomes: what was asked for, else what its files suggest. Pure.
 * @param baseTerrainId null for none
 * @throws UsageError where neither says for certain what it is
 */
export function creationBody(
  source: Pick<DecidedAsset, 'paths' | 'primary' | 'suggestion' | 'inDoubt'>,
  options: UploadOptions,
  baseTerrainId: number | null,
): CreationBody {
  const { type, sourceType } = kindOf(source, options);
  if (!fitsAssetType(sourceType, type))
    throw new UsageError({ key: 'cli.upload.mismatch', values: { sourceType, type } });
  const name = options.name ?? nameOf(source);
  return {
    name,
    ...(options.description === undefined ? {} : { description: options.description }),
    type,
    options: creationOptions({
      ...{ sourceType, clampToTerrain: options.clampToTerrain, baseTerrainId },
      options: options.options ?? '{}',
    }),
  };
}

function kindOf(
  { suggestion, paths, inDoubt }: Pick<DecidedAsset, 'paths' | 'suggestion' | 'inDoubt'>,
  options: UploadOptions,
): { readonly type: AssetType; readonly sourceType: string } {
  const wantedType = options.type === undefined ? undefined : assetTypeCalled(options.type);
  const wanted = options.sourceType?.trim();
  if (wanted !== undefined && wanted !== '') {
    // Names that are known in any case; all else as it is: the service documents no list.
    const known = findKind(wanted.toUpperCase().replaceAll('-', '_'));
    const type = wantedType ?? known?.assetType ?? (inDoubt === null ? suggestion?.assetType : undefined);
    if (type === undefined)
      throw new UsageError({ key: 'cli.upload.typeToo', values: { sourceType: wanted } });
    return { type, sourceType: known?.sourceType ?? wanted };
  }
  const sourceTypes = { names: kinds.map(({ sourceType }) => sourceType) };
  if (inDoubt !== null)
    throw new UsageError({ key: 'cli.upload.kindInDoubt', values: { file: inDoubt, sourceTypes } });
  if (suggestion && (wantedType === undefined || suggestion.assetType === wantedType))
    return { type: suggestion.assetType, sourceType: suggestion.sourceType };
  throw new UsageError({
    key: 'cli.upload.kindUnknown',
    values: { path: paths[0] ?? '', sourceTypes },
  });
}

/** As its folder or file is called; of a file without its extension. */
function nameOf({ paths, primary }: Pick<DecidedAsset, 'paths' | 'primary'>): string {
  const name = basename(primary ?? paths[0] ?? '');
  const stem = name.slice(0, name.length - extname(name).length);
  return stem === '' ? name : stem;
}
