import type { Contender, FoundContenders } from './contender.ts';
import { bare, findLibStorage, ourContender } from './node-clients.ts';
import { findAwsCli, findRclone } from './programs.ts';

interface Field {
  readonly contenders: readonly Contender[];
  readonly missing: Readonly<Record<string, string>>;
}

/** All contenders available on this computer. Writes their settings to `folder`. */
export async function gatherContenders(folder: string): Promise<Field> {
  const contenders: Contender[] = [ourContender];
  const missingReasons: Record<string, string> = {};
  const peers: readonly [string, Promise<FoundContenders>][] = [
    ['aws s3 cp', findAwsCli(folder)],
    ['rclone copy', findRclone()],
    ['lib-storage', findLibStorage()],
  ];
  for (const [name, search] of peers) {
    const foundResult = await search;
    if ('missing' in foundResult) missingReasons[name] = foundResult.missing;
    else contenders.push(...foundResult.contenders);
  }
  contenders.push(bare);
  return { contenders, missing: missingReasons };
}
