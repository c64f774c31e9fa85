import { basename, dirname } from 'node:path';
import { creationOptions } from '../../../shared/creation-options.ts';
import { TileliftError } from '../../errors.ts';
import type { CreationBody } from '../../service/model.ts';
import type { FoundSource } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { batchNumber, readable } from '../model/source-names.ts';

interface NameParts {
  /** Without a file's extension. For a batch, the watched folder's. */
  readonly name: string;
  readonly parent: string;
  /** Path in the watched folder, `/`-separated: `2026/11/20/Kai_3`. */
  readonly path: string;
  /** Local, `2026-11-20`. */
  readonly date: string;
  /** Including this source, at least three digits. */
  readonly counter: string;
}

const tokens: readonly (keyof NameParts)[] = ['name', 'parent', 'path', 'date', 'counter'];
const token = /\{([^{}]*)\}/g;

/** Throws `watch-name-invalid` for an unknown token. `field`: the pattern's field. */
export function checkNamePattern(pattern: string, field: string): void {
  for (const [whole, inner] of pattern.matchAll(token)) {
    if (!tokens.some((tokenName) => tokenName === inner))
      throw new TileliftError('watch-name-invalid', { subject: whole, field });
  }
}

/** Replaces tokens once, so that a name with `{date}` stays unchanged. */
export function fillIn(pattern: string, parts: NameParts): string {
  return pattern.replace(token, (whole, inner: string) => {
    const tokenName = tokens.find((candidate) => candidate === inner);
    return tokenName ? parts[tokenName] : whole;
  });
}

/** Returns the creation request for a source. `timestamp`, `pickedUpCount`: as in `namePartsOf`. */
export function creationBodyOf(
  rule: WatchRule,
  source: Pick<FoundSource, 'path' | 'keysFrom' | 'paths'>,
  timestamp: number,
  pickedUpCount: number,
): CreationBody {
  const parts = namePartsOf(rule, source, timestamp, pickedUpCount);
  const description = fillIn(rule.description, parts);
  return {
    name: fillIn(rule.namePattern, parts),
    ...(description === '' ? {} : { description }),
    type: rule.assetType,
    options: creationOptions(rule),
  };
}

/** `timestamp`: epoch ms; the day is in this computer's time zone. `pickedUpCount`: of earlier sources. */
export function namePartsOf(
  rule: Pick<WatchRule, 'folder'>,
  source: Pick<FoundSource, 'path' | 'keysFrom' | 'paths'>,
  timestamp: number,
  pickedUpCount: number,
): NameParts {
  const isWhole = source.path === '.' || batchNumber(source.path) !== null;
  const isFolder = !isWhole && source.paths[0] === source.keysFrom;
  const sourceName = isWhole ? basename(rule.folder) : basename(source.path);
  const parentPath = isWhole || isFolder ? dirname(source.keysFrom) : source.keysFrom;
  const bare = (text: string) =>
    readable(isWhole || isFolder ? text : text.replace(/(?<=[^/])\.[^./]*$/s, ''));
  return {
    name: bare(sourceName),
    path: bare(isWhole ? sourceName : source.path),
    parent: readable(basename(parentPath)),
    date: localDay(timestamp),
    counter: String(pickedUpCount + 1).padStart(3, '0'),
  };
}

function localDay(timestamp: number): string {
  const day = new Date(timestamp);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
