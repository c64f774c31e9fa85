import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { SecretPlace } from '../../../shared/schemas/alerts.ts';
import { bandwidthSchema } from '../../../shared/schemas/settings.ts';
import type { LocatedProblem } from '../../../shared/watch.ts';
import { inEnglish } from '../../../strings/sayer.ts';
import { type CheckedFile, readCheckedFile } from '../../checked-file.ts';
import { serviceSchema } from '../../policy/policy.ts';
import { isPolicyRule } from '../../watch/rules/policy-rules.ts';
import { identifyRule } from '../../watch/rules/reconcile.ts';
import {
  doubleIds,
  fileRuleSchema,
  maxRules,
  ruleEntries,
  withDerived,
} from '../../watch/rules/rules-file.ts';
import { UsageError } from '../usage-error.ts';
import { secretProblems, serviceAlertsSchema } from './service-alerts.ts';

/**
 * Exported rules (docs/server.md), optionally with services, account, limits and alerts like policy and
 * settings; no secrets, only their places.
 */

/** Rules are on by default, because no user can switch them on. */
const serviceRuleSchema = fileRuleSchema.extend({ on: z.boolean().default(true) });

const serviceFileSchema = z.object({
  $schema: z.string().optional(),
  schemaVersion: z.literal(1),
  services: z.array(serviceSchema).max(100).readonly().optional(),
  /** ID or API address; default: the current account. */
  account: z.string().trim().min(1).max(2_048).optional(),
  rules: z.array(z.preprocess(withDerived, serviceRuleSchema)).max(maxRules).readonly(),
  limits: bandwidthSchema.optional(),
  alerts: serviceAlertsSchema.optional(),
});
type ParsedServiceFile = z.infer<typeof serviceFileSchema>;

/** The fields as they are written: without those that follow from others. For the JSON Schema. */
export const serviceFileFields = serviceFileSchema.extend({
  rules: z.array(serviceRuleSchema.partial({ name: true, assetType: true })).max(maxRules),
});

/** A rule with its permanent ID. */
type ServiceRule = Omit<ParsedServiceFile['rules'][number], 'id'> & { readonly id: string };
export type ServiceFile = Omit<ParsedServiceFile, 'rules' | 'schemaVersion' | '$schema'> & {
  readonly rules: readonly ServiceRule[];
};

const maxBytes = 16 * 1024 * 1024;

/**
 * Never throws.
 * @param readSecret reads a secret or throws `SecretRefused`; omit it if another process uses the secrets
 */
export function parseServiceFile(
  text: string,
  readSecret: (place: SecretPlace) => unknown = () => {},
): CheckedFile<ServiceFile> {
  const read = readCheckedFile(text, serviceFileSchema, {
    entries: ruleEntries,
    more: ({ rules, alerts }) => [
      ...(alerts ? secretProblems(alerts, readSecret) : []),
      ...doubleIds(rules.map(withId)),
      ...rules.flatMap(({ id }, index) =>
        id !== undefined && isPolicyRule(id)
          ? [{ path: ['rules', index, 'id'], what: { key: 'rulesFile.problem.other' } as const }]
          : [],
      ),
    ],
  });
  if (read.kind === 'problems') return read;
  const { schemaVersion: _, $schema: __, rules, ...content } = read.data;
  return { ...read, data: { ...content, rules: rules.map(withId) } };
}

function withId(rule: ParsedServiceFile['rules'][number]): ServiceRule {
  return { ...rule, id: rule.id ?? `file:${identifyRule(rule)}` };
}

/**
 * Refuses pipes and endless files.
 * @throws UsageError if it can't be read
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

export function problemPhrase({ line, column, field, what: phrase }: LocatedProblem) {
  return { key: 'rulesFile.problemAt', values: { line, column, field, what: phrase } } as const;
}

/** As in JSON lines, in English. */
export function problemFacts({ line, column, field, what: phrase }: LocatedProblem) {
  return { line, column, field, message: inEnglish.sayPhrase(phrase) };
}
