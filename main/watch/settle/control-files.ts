import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { SourceFile } from '../../files/model.ts';

/** Suffixes of control files next to an incomplete download. */
const suffixes = [
  ...['.aria2', '.st', '.lftp-pget-status', '.crdownload', '.part', '.partial', '.filepart'],
  ...['.download', '.opdownload'],
];
const maxFolders = 1_000;

/** Returns the control file of an incomplete download, or null. */
export async function controlFileIn(files: readonly SourceFile[]): Promise<string | null> {
  const byFolder = new Map<string, Set<string>>();
  for (const { path } of files) {
    const folder = dirname(path);
    const names = byFolder.get(folder) ?? new Set();
    names.add(basename(path).toLowerCase());
    if (byFolder.size < maxFolders) byFolder.set(folder, names);
  }
  for (const [folder, names] of byFolder) {
    for (const name of await readdir(folder).catch(() => [])) {
      const low = name.toLowerCase();
      const matchingSuffix = suffixes.find((suffix) => low.endsWith(suffix));
      if (matchingSuffix !== undefined && names.has(low.slice(0, -matchingSuffix.length))) return name;
    }
  }
  return null;
}
