import { isAbsolute } from 'node:path';
import { watchRuleSchema as ruleSchema } from '../../../shared/schemas/watch-rule.ts';

export type { AfterEnd, WatchRule, WatchUnit } from '../../../shared/schemas/watch-rule.ts';

/** A watch rule for this computer, whose system defines absolute paths. */
export const watchRuleSchema = ruleSchema.extend({ folder: ruleSchema.shape.folder.refine(isAbsolute) });
