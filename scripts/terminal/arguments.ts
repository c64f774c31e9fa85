import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { TileliftError } from '../../main/errors.ts';
import { type AssetType, assetTypes } from '../../shared/assets.ts';

/** Troubles that the terminal can rehearse, so that their messages can be seen. */
const rehearsals = ['denied', 'state-differs', 'dead-service', 'data-error', 'tiling-error'] as const;
export type Rehearsal = (typeof rehearsals)[number];

export interface TerminalArguments {
  /** Absolute. Undefined: the sample. */
  readonly source: string | undefined;
  readonly assetType: AssetType | undefined;
  readonly sourceType: string | undefined;
  readonly name: string | undefined;
  readonly json: boolean;
  readonly rehearse: Rehearsal | undefined;
  /** Folder into which the objects in storage are copied at the end, by key. */
  readonly saveObjects: string | undefined;
}

/** What a wrong call of the terminal gets: one line, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Throws `UsageError`, or a `TileliftError` about the source or type. */
export function readArguments(args: readonly string[]): TerminalArguments {
  const { values } = parse(args);
  const source = values.source === undefined ? undefined : resolve(values.source);
  if (source !== undefined && !existsSync(source))
    throw new TileliftError('source-missing', { subject: source });
  const rehearse =
    values.rehearse === undefined ? undefined : oneOf(rehearsals, values.rehearse, '--rehearse');
  const assetType = values.type === undefined ? undefined : checkAssetType(values.type);
  if (source !== undefined && (assetType === undefined || !values['source-type'])) {
    throw new UsageError(
      'With --source, give --type (3DTILES, IMAGERY or TERRAIN) and --source-type (for example CITYGML) too.',
    );
  }
  return {
    source,
    assetType,
    sourceType: values['source-type'],
    name: values.name,
    json: values.json,
    rehearse,
    saveObjects: values['save-objects'] === undefined ? undefined : resolve(values['save-objects']),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        source: { type: 'string' },
        type: { type: 'string' },
        'source-type': { type: 'string' },
        name: { type: 'string' },
        rehearse: { type: 'string' },
        'save-objects': { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function checkAssetType(value: string): AssetType {
  const found = assetTypes.find((type) => type === value.toUpperCase());
  if (!found) throw new TileliftError('asset-type-unknown', { subject: value });
  return found;
}

function oneOf<T extends string>(allowed: readonly T[], value: string, option: string): T {
  const found = allowed.find((one) => one === value);
  if (!found) throw new UsageError(`${option} takes one of: ${allowed.join(', ')}.`);
  return found;
}
