import { Fingerprint, lineOf } from '../../files/fingerprint.ts';
import { createIsDerived } from '../../files/left-out/derived-files.ts';
import { toKey } from '../../files/paths.ts';
import type { Pause } from '../model/pause.ts';
import type { WatchedFile } from './tree.ts';

interface Plan {
  readonly stem: string | null;
  readonly missing: readonly string[];
  readonly trigger?: WatchedFile;
}

interface Keyed {
  readonly file: WatchedFile;
  readonly key: string;
}

/**
 * Hashes a source; add each file. The identity ignores derived files (`derived-files.ts`), unless a source
 * has nothing else.
 */
export async function createSums({ stem, missing, trigger }: Plan, files: readonly Keyed[], pause: Pause) {
  const [fingerprint, dataFingerprint] = [new Fingerprint(), new Fingerprint()];
  const [identity, digest, dataDigest] = [new Fingerprint(), new Fingerprint(), new Fingerprint()];
  const derived = await derivedAmong(files, pause);
  let newestMs = Math.floor(trigger?.mtimeMs ?? 0);
  for (const { key, file } of files)
    if (!derived.has(key)) newestMs = Math.max(newestMs, Math.floor(file.mtimeMs));
  const addToIdentity = (key: string, { size, mtimeMs }: WatchedFile) =>
    identity.add(lineOf({ key: nameless(key, stem), size, mtimeMs: Math.floor(mtimeMs) - newestMs }));
  const addToDigest = (key: string, { size, mtimeMs, ctimeMs, allocated }: WatchedFile) => {
    const data = `${key}\0${size}\0${mtimeMs}\0${allocated}`;
    dataDigest.add(data);
    digest.add(`${data}\0${ctimeMs}`);
  };
  if (trigger) {
    // No file has this empty key.
    addToIdentity('', trigger);
    addToDigest('', trigger);
  }
  for (const name of missing) {
    digest.add(name);
    dataDigest.add(name);
  }
  return {
    add: (key: string, file: WatchedFile) => {
      const line = lineOf({ key, size: file.size, mtimeMs: file.mtimeMs });
      fingerprint.add(line);
      addToDigest(key, file);
      if (derived.has(key)) return;
      dataFingerprint.add(line);
      addToIdentity(key, file);
    },
    digests: () => ({
      fingerprint: fingerprint.digest(),
      dataFingerprint: dataFingerprint.digest(),
      identity: identity.digest(),
      digest: digest.digest(),
      dataDigest: dataDigest.digest(),
      newestMs,
    }),
  };
}

async function derivedAmong(files: readonly Keyed[], pause: Pause): Promise<ReadonlySet<string>> {
  let keys: ReadonlySet<string> | null = null;
  const hasKey = (key: string) => {
    keys ??= new Set(files.map((file) => file.key));
    return keys.has(key);
  };
  const isDerived = createIsDerived(hasKey);
  const derived = new Set<string>();
  for (const { key } of files) {
    if (isDerived(key)) derived.add(key);
    await pause();
  }
  return derived.size === files.length ? new Set() : derived;
}

/**
 * Replaces the own name in each part of the key: `city.gml` and `city_appearance/a.jpg` become `*.gml` and
 * `*_appearance/a.jpg`.
 */
export function nameless(key: string, stem: string | null): string {
  if (stem === null || stem === '') return key;
  const ownName = toKey(stem).toLowerCase();
  const without = (piece: string) => {
    const remainder = piece.slice(ownName.length);
    return piece.toLowerCase().startsWith(ownName) && /^(?:[._]|$)/.test(remainder) ? `*${remainder}` : piece;
  };
  return key.split('/').map(without).join('/');
}
