import { basename, extname } from 'node:path';
import { assetTypeShape, assetTypes } from '../../../shared/assets.ts';
import {
  creationOptions,
  furtherOptions,
  isFurtherOptions,
  maxOptionsLength,
  ownFieldIn,
  withTilesetRoot,
} from '../../../shared/creation-options.ts';
import {
  findKind,
  fitsAssetType,
  intendedSourceType,
  isOfferedFor,
  isTiled,
  kinds,
} from '../../../shared/kinds.ts';
import { hasOption, kindsWithBaseTerrain, mayHaveBaseTerrain } from '../../../shared/tiling-options.ts';
import type { DecidedAsset } from '../../inspect/session/session.ts';
import type { SharedPreset } from '../../presets/presets-file.ts';
import type { CreationBody } from '../../service/model.ts';
import { UsageError } from '../usage-error.ts';

/** Options of `tilelift upload`. */
export interface UploadOptions {
  readonly type?: string;
  readonly sourceType?: string;
  readonly name?: string;
  readonly description?: string;
  /** JSON, or `@FILE`. */
  readonly options?: string;
  readonly preset?: string;
  readonly presetsFile?: string;
  readonly position?: readonly number[];
  /** EPSG code. */
  readonly crs?: number;
  readonly exclude: readonly string[];
  readonly filesFrom?: string;
  /** Bytes per second. */
  readonly limitRate?: number;
  readonly dryRun: boolean;
  readonly receipt?: string;
  readonly service?: string;
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

/** Default of `--give-up-after`, minutes. */
export const defaultGiveUpMinutes = 60;
const maxGiveUpMinutes = 7 * 24 * 60;

/** Throws `UsageError`. */
export function parseMinutes(text: string): number {
  const minutes = Number(text);
  if (!(minutes > 0 && minutes <= maxGiveUpMinutes))
    throw new UsageError({ key: 'cli.upload.minutes', values: { given: text } });
  return minutes;
}

const secondsOf: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600 };

/** Parses `90`, `90s`, `15m` or `2h`; returns ms. Throws `UsageError`. */
export function parseDuration(text: string): number {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)([smh]?)$/.exec(text) ?? [];
  const ms = Number(amount) * (secondsOf[unit] ?? 0) * 1_000;
  if (!(ms >= 1 && ms <= maxGiveUpMinutes * 60_000))
    throw new UsageError({ key: 'cli.jobs.badTimeout', values: { given: text } });
  return ms;
}

const rateUnits: Readonly<Record<string, number>> = { '': 1, K: 1_000, M: 1_000_000, G: 1_000_000_000 };

/** Returns bytes per second. Throws `UsageError`. */
export function parseRate(text: string): number {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)([kKMG]?)$/.exec(text) ?? [];
  const rate = Number(amount) * (rateUnits[unit.toUpperCase()] ?? 0);
  if (!(rate >= 1)) throw new UsageError({ key: 'cli.upload.rate', values: { given: text } });
  return rate;
}

/** Returns an EPSG code. Throws `UsageError`. */
export function parseCrs(text: string): number {
  const [, code] = /^(?:EPSG:)?([1-9]\d{3,8})$/i.exec(text) ?? [];
  if (code === undefined) throw new UsageError({ key: 'cli.upload.crs', values: { given: text } });
  return Number(code);
}

/** Returns longitude, latitude and height. Throws `UsageError`. */
export function parsePosition(text: string): readonly number[] {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [longitude = Number.NaN, latitude = Number.NaN, height = 0, ...excessNumbers] = numbers;
  const isOnEarth = Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90 && Number.isFinite(height);
  if (!isOnEarth || excessNumbers.length > 0)
    throw new UsageError({ key: 'cli.upload.position', values: { given: text } });
  return [longitude, latitude, height];
}

/** Collects a repeatable option. */
export const addPattern = (pattern: string, previous: readonly string[]): readonly string[] => [
  ...previous,
  pattern,
];

/** Types that Tilelift doesn't know need an explicit kind of data. */
function assetTypeCalled(word: string, { sourceType }: Pick<UploadOptions, 'sourceType'>): string {
  const assetType = word.trim().toUpperCase();
  const isKnown = assetTypes.some((type) => type === assetType);
  if (!isKnown && (sourceType === undefined || !assetTypeShape.test(assetType)))
    throw new UsageError({ key: 'cli.upload.type', values: { type: word, types: { names: assetTypes } } });
  return assetType;
}

/** Checks options that need no data. Throws `UsageError`. */
export function checkUploadOptions(options: UploadOptions): void {
  if (options.type !== undefined) assetTypeCalled(options.type, options);
  if (options.options !== undefined) checkFurtherOptions(options.options);
  if (options.baseTerrain !== undefined && options.sourceType !== undefined)
    checkBaseTerrain(sourceTypeCalled(options.sourceType), options.clampToTerrain);
  if (options.oneEach && options.name !== undefined) throw new UsageError({ key: 'cli.upload.nameForEach' });
}

function checkFurtherOptions(text: string): void {
  if (text.length > maxOptionsLength)
    throw new UsageError({ key: 'cli.upload.optionsLong', values: { max: maxOptionsLength } });
  const field = ownFieldIn(text);
  if (field !== undefined) throw new UsageError({ key: 'cli.upload.optionsField', values: { field } });
  if (!isFurtherOptions(text)) throw new UsageError({ key: 'cli.upload.options' });
}

const sourceTypeCalled = (word: string) => word.trim().toUpperCase().replaceAll('-', '_');

function checkBaseTerrain(sourceType: string, clampToTerrain: boolean): void {
  if (!clampToTerrain && !mayHaveBaseTerrain(sourceType))
    throw new UsageError({
      key: 'cli.upload.baseTerrainAlone',
      values: { sourceType, kinds: { names: kindsWithBaseTerrain } },
    });
}

type RecognizedAsset = Omit<DecidedAsset, 'asset' | 'files' | 'bytes'>;

/**
 * Uses the options, else the files. Pure.
 * @throws UsageError if neither determines the kind
 */
export function creationBody(
  source: RecognizedAsset,
  options: UploadOptions,
  baseTerrainId: number | null,
  presets: readonly SharedPreset[] = [],
): CreationBody {
  const { type, sourceType } = kindOf(source, options);
  const preset = presetFor(sourceType, options, presets);
  if (options.position !== undefined && !hasOption(sourceType, 'position'))
    throw new UsageError({ key: 'cli.upload.noPosition', values: { sourceType } });
  if (!fitsAssetType(sourceType, type))
    throw new UsageError({ key: 'cli.upload.mismatch', values: { sourceType, type } });
  if (baseTerrainId !== null) checkBaseTerrain(sourceType, options.clampToTerrain);
  const name = options.name ?? nameOf(source);
  return {
    name,
    ...(options.description === undefined ? {} : { description: options.description }),
    type,
    options: creationOptions({
      ...{ sourceType, baseTerrainId },
      clampToTerrain: options.clampToTerrain || (preset?.clampToTerrain ?? false),
      options: withTilesetRoot(
        JSON.stringify({
          ...furtherOptions(preset?.options ?? '{}'),
          ...furtherOptions(options.options ?? '{}'),
          ...(options.position && { position: options.position }),
        }),
        sourceType,
        source.tilesetRoot,
      ),
    }),
  };
}

/** @throws UsageError if there is none for this kind of data */
function presetFor(
  sourceType: string,
  { preset: name }: Pick<UploadOptions, 'preset'>,
  presets: readonly SharedPreset[],
): SharedPreset | undefined {
  if (name === undefined) return undefined;
  const matchingPresets = presets.filter((preset) => preset.sourceType === sourceType);
  const preset = matchingPresets.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
  const names = { names: matchingPresets.map((candidate) => candidate.name) };
  if (!preset && matchingPresets.length === 0)
    throw new UsageError({ key: 'cli.upload.noPresets', values: { sourceType } });
  if (!preset)
    throw new UsageError({ key: 'cli.upload.presetUnknown', values: { preset: name, sourceType, names } });
  return preset;
}

const sourceTypes = { names: kinds.map(({ sourceType }) => sourceType) };

function kindOf(
  { suggestion, paths, primary, onlyFile, inDoubt }: RecognizedAsset,
  options: UploadOptions,
): { readonly type: string; readonly sourceType: string } {
  const wantedType = options.type === undefined ? undefined : assetTypeCalled(options.type, options);
  const requested = options.sourceType?.trim();
  if (requested !== undefined && requested !== '') {
    const knownKind = findKind(sourceTypeCalled(requested));
    const intendedType = intendedSourceType(sourceTypeCalled(requested));
    if (intendedType !== undefined)
      throw new UsageError({
        key: 'cli.upload.typeNearly',
        values: { sourceType: requested, meant: intendedType },
      });
    // The service has no documented list, so other unknown kinds pass unchanged with an explicit type.
    const type = wantedType ?? knownKind?.assetType;
    if (type === undefined)
      throw new UsageError({ key: 'cli.upload.typeToo', values: { sourceType: requested, sourceTypes } });
    return { type, sourceType: knownKind?.sourceType ?? requested };
  }
  const extension = extname(primary ?? onlyFile ?? paths[0] ?? '')
    .slice(1)
    .toLowerCase();
  const served = kinds.find((kind) => kind.assetType === wantedType && !isTiled(kind));
  if (served && isOfferedFor(served, [extension]))
    return { type: served.assetType, sourceType: served.sourceType };
  if (inDoubt !== null)
    throw new UsageError({ key: 'cli.upload.kindInDoubt', values: { file: inDoubt, sourceTypes } });
  if (suggestion && (wantedType === undefined || suggestion.assetType === wantedType))
    return { type: suggestion.assetType, sourceType: suggestion.sourceType };
  if (suggestion && wantedType !== undefined) throw otherType(suggestion, wantedType);
  throw new UsageError({ key: 'cli.upload.kindUnknown', values: { path: paths[0] ?? '', sourceTypes } });
}

function otherType(
  { sourceType, assetType }: Readonly<Record<'sourceType' | 'assetType', string>>,
  type: string,
): UsageError {
  const fittingTypes = kinds.filter((kind) => kind.assetType === type).map((kind) => kind.sourceType);
  return new UsageError({
    key: 'cli.upload.otherType',
    values: { sourceType, suggestedType: assetType, type, sourceTypes: { names: fittingTypes } },
  });
}

function nameOf({ paths, primary }: Pick<DecidedAsset, 'paths' | 'primary'>): string {
  const name = basename(primary ?? paths[0] ?? '');
  const stem = name.slice(0, name.length - extname(name).length);
  return stem === '' ? name : stem;
}
