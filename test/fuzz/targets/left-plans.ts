import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { silentLog } from '../../../main/log.ts';
import { takeOverLeftPlans } from '../../../main/watch/moves/left-plans.ts';
import type { PlannedMoves } from '../../../main/watch/moves/move-journal.ts';
import type { WatchParts } from '../../../main/watch/watch-parts.ts';
import { Escape, type Target } from '../target.ts';

let root: string | null = null;

/**
 * The words stand for the folder and the target of the rule, whose real places are another on every machine.
 */
const placed = (text: string, folder: string): string =>
  text.replaceAll('@in', folder).replaceAll('@done', join(folder, 'done'));

/**
 * Plans that an earlier version may have left: others write there too. Those taken over lead out of the
 * folder into the rule's own target, and nowhere else.
 */
export const leftPlans: Target = {
  name: 'left-plans',
  seeds: ['[{"from":"@in/a.tif","to":"@done/a.tif"},{"from":"@in/b/c.tif","to":"@done/b/c.tif"}]', '[]'],
  words: ['@in', '@done', '../', '/', '"from":"', '"to":"', '.tilelift', '/etc/', '\\u0000', '..'],
  run: async (input) => {
    root ??= mkdtempSync(join(tmpdir(), 'tilelift-fuzz-plans-'));
    const folder = join(root, 'in');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, '.tilelift', 'moves'), { recursive: true });
    mkdirSync(join(folder, 'done'));
    writeFileSync(join(folder, '.tilelift', 'moves', 'plan.json'), placed(input.toString(), folder));
    const kept: PlannedMoves[] = [];
    const ledger = {
      hasSeenPlans: () => false,
      seePlans: () => {},
      addMoves: (plan: PlannedMoves) => kept.push(plan),
      addActivity: () => {},
    };
    const parts = { ledger, log: silentLog, clock: { now: () => 0 } } as unknown as WatchParts;
    const after = { kind: 'move', folder: 'done' } as const;
    await takeOverLeftPlans({ id: 'r', folder, afterSuccess: after, afterFailure: after }, parts);
    for (const { folder: base, target, moves } of kept) {
      for (const { from, to } of moves) {
        checkBelow(base, from);
        checkBelow(target, to);
      }
      if (base !== folder || normalize(target) !== join(folder, 'done')) throw new Escape(target);
    }
    return String(kept.length);
  },
};

function checkBelow(base: string, way: readonly string[]): void {
  const place = join(base, ...way);
  const odd = way.some((name) => ['', '.', '..'].includes(name) || /[/\0]/.test(name));
  if (odd || way.length === 0 || !place.startsWith(`${base}/`)) throw new Escape(place);
}
