import { isAbsolute, resolve } from 'node:path';
import {
  type AfterEnd,
  watchRuleSchema as ruleSchema,
  type WatchRule,
} from '../../../shared/schemas/watch-rule.ts';

export type { AfterEnd, WatchRule, WatchUnit } from '../../../shared/schemas/watch-rule.ts';

/** A watch rule for this computer, whose system defines absolute paths. */
export const watchRuleSchema = ruleSchema.extend({ folder: ruleSchema.shape.folder.refine(isAbsolute) });

/** The target folders of moves, absolute. */
export function targetsOf(
  rule: Pick<WatchRule, 'folder' | 'afterSuccess' | 'afterFailure'>,
): readonly string[] {
  return targetFields(rule).map(({ place }) => place);
}

/** `place`: absolute; `field`: the rule field that names it. */
export interface Target {
  readonly place: string;
  readonly field: string;
}

/** The moves of a rule. */
export function targetFields(
  rule: Pick<WatchRule, 'folder' | 'afterSuccess' | 'afterFailure'>,
): readonly Target[] {
  return (['afterSuccess', 'afterFailure'] as const).flatMap((field) => {
    const place = targetOf(rule.folder, rule[field]);
    return place === null ? [] : [{ place, field: `${field}.folder` }];
  });
}

/** Returns null if sources aren't moved. */
export function targetOf(folder: string, after: AfterEnd): string | null {
  return after.kind === 'move' ? resolve(folder, after.folder) : null;
}
