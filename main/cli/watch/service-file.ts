import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { kinds } from '../../../shared/kinds.ts';
import type { SecretPlace } from '../../../shared/schemas/alerts.ts';
import { bandwidthSchema } from '../../../shared/schemas/settings.ts';
import type { LocatedProblem } from '../../../shared/watch.ts';
import { serviceSchema } from '../../policy/policy.ts';
import { isPolicyRule, markOf } from '../../watch/policy-rules/read-policy-rules.ts';
import {
  type CheckedFile,
  doubleIds,
  type FileRule,
  type Found,
  fileRuleSchema,
  maxRules,
  readCheckedFile,
  withDerived,
} from '../../watch/rules-file/rules-file.ts';
import { UsageError } from '../usage-error.ts';
import { secretProblems, serviceAlertsSchema } from './service-alerts.ts';

/**
 * The one file of a server (docs/service.md): a rules file as *Export all rules…* writes it, which may
 * name services, an account, limits and alerts too, each as the policy or the settings have it. No secret is
 * in it: it says where those of alerts lie.
 */

/** Rules are on unless they say otherwise: nobody is there to switch them on. */
const serviceRuleSchema = fileRuleSchema.extend({ on: z.boolean().default(true) });

const serviceFileSchema = z.object({
  $schema: z.string().optional(),
  schemaVersion: z.literal(1),
  services: z.array(serviceSchema).max(100).readonly().optional(),
  /** Id, or API address of its service; absent for the current one. */
  account: z.string().trim().min(1).max(2_048).optional(),
  rules: z.array(z.preprocess(withDerived, serviceRuleSchema)).max(maxRules).readonly(),
  limits: bandwidthSchema.optional(),
  alerts: serviceAlertsSchema.optional(),
});
type Parsed = z.infer<typeof serviceFileSchema>;

/** The fields as they are written: without those that follow from others. For the JSON Schema. */
export const serviceFileFields = serviceFileSchema.extend({
  rules: z.array(serviceRuleSchema.partial({ name: true, assetType: true })).max(maxRules),
});

/** A rule of the file with the id by which it is known from now on. */
type ServiceRule = Omit<Parsed['rules'][number], 'id'> & { readonly id: string };
export type ServiceFile = Omit<Parsed, 'rules' | 'schemaVersion' | '$schema'> & {
  readonly rules: readonly ServiceRule[];
};

const maxBytes = 16 * 1024 * 1024;

/**
 * Reads what such a file holds, or says all that is wrong with it. Never throws.
 *
 * @param readSecret reads a secret that it names, or throws `SecretRefused`; left out where the secrets are
 *   another process's
 */
export function parseServiceFile(
  text: string,
  readSecret: (place: SecretPlace) => unknown = () => {},
): CheckedFile<ServiceFile> {
  const read = readCheckedFile(text, serviceFileSchema, ({ rules, alerts }) => [
    ...(alerts ? secretProblems(alerts, readSecret) : []),
    ...doubleIds(rules.map(named)),
    ...mistypedKinds(rules),
    ...rules.flatMap(({ id }, index) =>
      id !== undefined && isPolicyRule(id)
        ? [{ path: ['rules', index, 'id'], what: { key: 'rulesFile.problem.other' } as const }]
        : [],
    ),
  ]);
  if (read.kind === 'problems') return read;
  const { schemaVersion: _, $schema: __, rules, ...rest } = read.data;
  return { kind: 'read', data: { ...rest, rules: rules.map(named) } };
}

/** Kinds that are nearly one that Tilelift knows. Others are the service's to judge. */
function mistypedKinds(rules: readonly Pick<FileRule, 'sourceType'>[]): Found[] {
  return rules.flatMap(({ sourceType }, index): Found[] => {
    const known = kinds.map((kind) => kind.sourceType);
    if (known.some((one) => one === sourceType)) return [];
    const meant = known.find((one) => isNearly(sourceType.toUpperCase(), one));
    const what = { key: 'rulesFile.problem.nearly', values: { meant: meant ?? '' } } as const;
    return meant === undefined ? [] : [{ path: ['rules', index, 'sourceType'], what }];
  });
}

/** With one letter in four added, missing or exchanged, and two at most. */
function isNearly(text: string, wanted: string): boolean {
  let before = Array.from({ length: wanted.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...text].entries()) {
    const row = [at + 1];
    for (const [to, other] of [...wanted].entries())
      row.push(
        Math.min((row[to] ?? 0) + 1, (before[to + 1] ?? 0) + 1, (before[to] ?? 0) + Number(letter !== other)),
      );
    before = row;
  }
  return (before.at(-1) ?? wanted.length) <= Math.min(2, Math.floor(wanted.length / 4));
}

function named(rule: Parsed['rules'][number]): ServiceRule {
  return { ...rule, id: rule.id ?? `file:${markOf(rule.folder, rule.name)}` };
}

/**
 * Its text. A pipe or a file without end is refused.
 * @throws UsageError where it can't be read
 */
export function readServiceText(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const stats = fstatSync(file);
      if (!stats.isFile() || stats.size > maxBytes) throw new Error('no file, or far too large');
      return readFileSync(file, 'utf8');
    } finally {
      closeSync(file);
    }
  } catch {
    throw new UsageError({ key: 'cli.watch.fileUnreadable', values: { path } });
  }
}

/** A problem as it is said, with its place. */
export function problemPhrase({ line, column, field, what }: LocatedProblem) {
  return { key: 'rulesFile.problemAt', values: { line, column, field, what } } as const;
}
