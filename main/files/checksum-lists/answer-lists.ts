import { closeSync, fstatSync, lstatSync, readSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { openInside } from '../open-inside.ts';
import { pathBelow, toKey } from '../paths.ts';
import { checksumsIn, type ListedChecksum } from './checksum-list.ts';

/** First the files whose checksums are wanted, then one list after the other. */
export type ListOrder =
  | {
      readonly kind: 'files';
      /** Entries can't refer to files outside. */
      readonly folder: string;
      readonly keys: readonly string[];
      /** Index of the first key; 0 starts a new set. */
      readonly startIndex: number;
    }
  | {
      readonly kind: 'list';
      /** Absolute. */
      readonly path: string;
      /** Index of the key for a checksum without a name, if the list is named differently. */
      readonly primary: number | null;
      /** Whether all files in the list must exist. */
      readonly isOwn: boolean;
      readonly maxBytes: number;
    };

/** `unread`: the list can't be opened. */
export type ListReply =
  | { readonly kind: 'unread' | 'too-large' }
  | {
      readonly kind: 'read';
      readonly bytes: number;
      readonly files: readonly (Omit<ListedChecksum, 'path'> & { readonly fileIndex: number })[];
      readonly missing: string | null;
    };

/** Limits of entries per list and in the cache. */
const usualLimits = { entries: 200_000, remembered: 400_000 };
/** Limit of different checksums per file; two already prove a mismatch. */
const maxSaid = 8;

interface ParsedList {
  readonly stamp: string;
  readonly entries: readonly ListedChecksum[];
  readonly byKey: ReadonlyMap<string, readonly number[]>;
}

/** Serves `ListReader` in the thread. */
export function answerLists(port: Pick<MessagePort, 'on' | 'postMessage'>, limits = usualLimits): void {
  const rememberedLists = new Map<string, ParsedList>();
  let folder = '';
  let keys = new Map<string, number>();
  port.on('message', (order: ListOrder) => {
    if (order.kind === 'files') {
      folder = order.folder;
      if (order.startIndex === 0) keys = new Map();
      for (const [index, key] of order.keys.entries()) keys.set(key, order.startIndex + index);
      return;
    }
    port.postMessage(replyTo(order));
  });

  function replyTo(order: Extract<ListOrder, { kind: 'list' }>): ListReply {
    const { path, maxBytes } = order;
    let file: number;
    try {
      file = openInside(folder, path);
    } catch {
      return { kind: 'unread' };
    }
    try {
      const { size, mtimeMs, ctimeMs } = fstatSync(file);
      if (size > maxBytes) return { kind: 'too-large' };
      const [name, stamp] = [`${folder}\0${path}`, `${size} ${mtimeMs} ${ctimeMs}`];
      let list = rememberedLists.get(name) ?? null;
      if (list?.stamp !== stamp) {
        rememberedLists.delete(name);
        list = parseList(bytesOf(file, size), { path, stamp, folder }, limits.entries);
        if (list === null) return { kind: 'too-large' };
        remember(name, list);
      }
      return { ...matchList(list, order, keys, folder), bytes: size };
    } finally {
      closeSync(file);
    }
  }

  function remember(name: string, list: ParsedList): void {
    rememberedLists.set(name, list);
    let entries = 0;
    // Always keeps the latest list.
    for (const [otherList, { entries: otherEntries }] of [...rememberedLists].reverse()) {
      entries += otherEntries.length;
      if (otherList !== name && entries > limits.remembered) rememberedLists.delete(otherList);
    }
  }
}

/** At most `size` bytes, even if the file has grown. */
function bytesOf(file: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let length = 0;
  for (let read = -1; read !== 0 && length < size; length += read)
    read = readSync(file, bytes, length, size - length, length);
  return bytes.subarray(0, length);
}

/** Returns null if there are too many entries. */
export function parseList(
  bytes: Uint8Array,
  { path, stamp, folder }: { readonly path: string; readonly stamp: string; readonly folder: string },
  maxEntries = usualLimits.entries,
): ParsedList | null {
  const entries: ListedChecksum[] = [];
  const byKey = new Map<string, number[]>();
  for (const entry of checksumsIn(new TextDecoder().decode(bytes), basename(path))) {
    if (entries.length === maxEntries) return null;
    const key = toKey(placeOf(entry, path, folder));
    const places = byKey.get(key);
    if (!places) byKey.set(key, [entries.length]);
    else if (places.length < maxSaid && places.every((index) => entries[index]?.checksum !== entry.checksum))
      places.push(entries.length);
    entries.push(entry);
  }
  return { stamp, entries, byKey };
}

function matchList(
  { entries, byKey }: ParsedList,
  { path, primary, isOwn }: Extract<ListOrder, { kind: 'list' }>,
  keys: ReadonlyMap<string, number>,
  folder: string,
): Omit<Extract<ListReply, { kind: 'read' }>, 'bytes'> {
  const listedFile = (index: number, places: readonly number[] = []) =>
    places.flatMap((place) => {
      const entry = entries[place];
      return entry ? { fileIndex: index, algorithm: entry.algorithm, checksum: entry.checksum } : [];
    });
  const files = [...keys].flatMap(([key, index]) => listedFile(index, byKey.get(key)));
  const unnamedIndex = entries.findIndex((entry) => entry.path === '');
  const isPrimary = primary !== null && unnamedIndex >= 0 && !keys.has(keyOfUnnamed(path));
  if (isPrimary) files.push(...listedFile(primary, [unnamedIndex]));
  const missingEntry = isOwn
    ? entries.find((entry) => {
        if (entry.path === '' && isPrimary) return false;
        const place = placeOf(entry, path, folder);
        return !keys.has(toKey(place)) && !exists(place);
      })
    : undefined;
  return { kind: 'read', files, missing: missingEntry ? missingEntry.path || unnamedFile(path) : null };
}

/** A checksum without a name belongs to the file that the list is named after. */
const unnamedFile = (list: string) => basename(list, extname(list));
const keyOfUnnamed = (list: string) => toKey(join(dirname(list), unnamedFile(list)));

/** Resolves a foreign or escaping path to the file of that name next to the list. */
export function placeOf({ path }: Pick<ListedChecksum, 'path'>, list: string, folder: string): string {
  const listFolder = dirname(list);
  const writtenName = path || unnamedFile(list);
  const isForeign = isAbsolute(writtenName) || /^[a-z]:\//i.test(writtenName);
  const place = resolve(listFolder, writtenName);
  // The folder itself is no file in it.
  if (!isForeign && pathBelow(folder, place)) return place;
  return join(listFolder, basename(place) || unnamedFile(list));
}

/** Whether the path is a regular file, without following links. Unreadable paths count as missing. */
function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
