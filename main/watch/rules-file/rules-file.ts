import { getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { z } from 'zod';
import type { Phrase } from '../../../strings/phrase.ts';
import { type WatchRule, watchRuleSchema } from '../rule.ts';
import { type LocatedProblem, offsetOf, placeOf, unknownKeys } from './located.ts';
import { fieldName, problemsOf, type RuleProblem } from './rule-problems.ts';

/** Watch rules as a file (docs/rules-file.md). Pure. Nothing in it is secret: an account is named by its id, and signs in where the file is read. */

/** Grows when files of before can't be read any more as they were meant. */
export const rulesFileVersion = 1;
export const mostRules = 1_000;

const { shape } = watchRuleSchema;
/** Whoever writes one by hand needs neither an id nor an account: those are given where it is read. */
export const fileRuleSchema = z.object({
  ...shape,
  id: shape.id.optional(),
  accountId: shape.accountId.optional(),
  on: z.boolean().default(false),
});
const fileSchema = z.object({
  schemaVersion: z.literal(rulesFileVersion),
  rules: z.array(fileRuleSchema).min(1).max(mostRules).readonly(),
});

export type FileRule = z.infer<typeof fileRuleSchema>;

export type RulesFile =
  | { readonly kind: 'rules'; readonly rules: readonly FileRule[] }
  /** All of them, as they stand in the file. Nothing of it is to be used. */
  | { readonly kind: 'problems'; readonly problems: readonly LocatedProblem[] };

export function rulesFileText(rules: readonly WatchRule[]): string {
  return `${JSON.stringify({ schemaVersion: rulesFileVersion, rules }, null, 2)}\n`;
}

/** Reads a file, or says everything that is wrong with it. */
export function readRulesFile(given: string): RulesFile {
  // Windows' own editor used to begin a file with a byte order mark.
  const text = given.replace(/^\uFEFF/, '');
  const faults: ParseError[] = [];
  const tree = parseTree(text, faults, { disallowComments: true, allowTrailingComma: false });
  const at = (offset: number) => placeOf(text, offset);
  const [fault] = faults;
  if (fault || !tree) {
    const what: Phrase = { key: 'rulesFile.problem.noJson' };
    return { kind: 'problems', problems: [{ ...at(fault?.offset ?? 0), field: '', what }] };
  }
  const value: unknown = getNodeValue(tree);
  const { data, error } = fileSchema.safeParse(value);
  const problems = [
    ...doubleKeys(tree),
    ...(error ? problemsOf(error, value) : []),
    ...(data ? unknownKeys(value, data) : []),
    ...(data ? doubleIds(data.rules) : []),
  ].map(({ path, what, offset }: Found): LocatedProblem & { readonly offset: number } => {
    const from = offset ?? offsetOf(tree, path);
    return { ...at(from), offset: from, field: fieldName(path), what };
  });
  if (!data || problems.length > 0) {
    problems.sort((a, b) => a.offset - b.offset);
    return { kind: 'problems', problems: problems.map(({ offset: _, ...problem }) => problem) };
  }
  return { kind: 'rules', rules: data.rules };
}

type Found = RuleProblem & { readonly offset?: number };

/** Of two values of one key one would be passed over in silence. */
function doubleKeys(node: Node, path: readonly (string | number)[] = []): Found[] {
  const found: Found[] = [];
  const seen = new Set<string>();
  for (const [index, child] of (node.children ?? []).entries()) {
    if (node.type === 'array') found.push(...doubleKeys(child, [...path, index]));
    if (node.type !== 'object') continue;
    const [key, value] = child.children ?? [];
    const name = String(key?.value);
    if (key && seen.has(name))
      found.push({ path: [...path, name], what: { key: 'rulesFile.problem.keyTwice' }, offset: key.offset });
    seen.add(name);
    if (value) found.push(...doubleKeys(value, [...path, name]));
  }
  return found;
}

function doubleIds(rules: readonly FileRule[]): Found[] {
  return rules.flatMap(({ id }, index): Found[] => {
    const isTwice = id !== undefined && rules.findIndex((other) => other.id === id) < index;
    return isTwice ? [{ path: ['rules', index, 'id'], what: { key: 'rulesFile.problem.twice' } }] : [];
  });
}
