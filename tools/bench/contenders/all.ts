import type { Contender, Found } from './contender.ts';
import { bare, findLibStorage, ours } from './node-clients.ts';
import { findAwsCli, findRclone } from './programs.ts';

interface Field {
  readonly contenders: readonly Contender[];
  readonly missing: Readonly<Record<string, string>>;
}

/** All contenders available on this computer. Writes their settings to `folder`. */
export async function gatherContenders(folder: string): Promise<Field> {
  const contenders: Contender[] = [ours];
  const missing: Record<string, string> = {};
  const peers: readonly [string, Promise<Found>][] = [
    ['aws s3 cp', findAwsCli(folder)],
    ['rclone copy', findRclone()],
    ['lib-storage', findLibStorage()],
  ];
  for (const [name, search] of peers) {
    const found = await search;
    if ('missing' in found) missing[name] = found.missing;
    else contenders.push(...found.contenders);
  }
  contenders.push(bare);
  return { contenders, missing };
}
