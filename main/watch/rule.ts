import { isAbsolute } from 'node:path';
import { watchRuleSchema as ruleSchema } from '../../shared/schemas/watch-rule.ts';

export type { AfterEnd, WatchRule, WatchUnit } from '../../shared/schemas/watch-rule.ts';

/** A watch rule as this computer takes it: which paths are absolute depends on its system. */
export const watchRuleSchema = ruleSchema.extend({ folder: ruleSchema.shape.folder.refine(isAbsolute) });
