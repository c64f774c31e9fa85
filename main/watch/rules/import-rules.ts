import { randomUUID } from 'node:crypto';
import type { WatchService } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { isPolicyRule } from './read-policy-rules.ts';
import type { FileRule } from './rules-file.ts';

/** The user's choice for one rule of a file. */
export interface ImportChoice {
  readonly accountId: string;
  readonly folder: string;
  /** Replaces a rule with the same ID; otherwise both are kept. */
  readonly replace: boolean;
  /** Also upload present files; for a replacement, those that the previous rule didn't pick up. */
  readonly takeExisting: boolean;
}

/** This computer's state. */
export interface Here {
  readonly rules: readonly WatchRule[];
  readonly accountId: string;
}

interface ImportedRule {
  readonly rule: WatchRule;
  /** The replaced rule with the same ID, or null. */
  readonly before: WatchRule | null;
  readonly takeExisting: boolean;
}

/** The rule's account, signed in or not, otherwise the current one; existing files are skipped. Pure. */
export function defaultChoice({ accountId, folder }: FileRule, here: Here): ImportChoice {
  return { accountId: accountId ?? here.accountId, folder, replace: true, takeExisting: false };
}

/** The rule here with the same ID, or null. A copied policy rule replaces none. Pure. */
export function replacedBy({ id }: FileRule, { rules }: Pick<Here, 'rules'>): WatchRule | null {
  if (id === undefined || isPolicyRule(id)) return null;
  return rules.find((rule) => rule.id === id) ?? null;
}

/** A replacement stays on or off; new rules are off. Pure except for new IDs. */
export function planImport(
  chosen: readonly { readonly given: FileRule; readonly choice: ImportChoice }[],
  here: Pick<Here, 'rules'>,
): readonly ImportedRule[] {
  return chosen.map(({ given, choice }) => {
    const { accountId, folder, takeExisting } = choice;
    const twin = replacedBy(given, here);
    const before = choice.replace ? twin : null;
    const isFree = given.id !== undefined && !isPolicyRule(given.id) && twin === before;
    const id = isFree && given.id !== undefined ? given.id : randomUUID();
    return { rule: { ...given, id, accountId, folder, on: before?.on ?? false }, before, takeExisting };
  });
}

/** Stores all rules or none. Returns null on success. */
export async function importRules(
  imported: readonly ImportedRule[],
  watch: Pick<WatchService, 'save' | 'remove'>,
): Promise<{ readonly position: number; readonly thrown: unknown } | null> {
  const kept: ImportedRule[] = [];
  for (const one of imported) {
    try {
      await watch.save(one.rule, one.takeExisting);
      kept.push(one);
    } catch (thrown) {
      const position = kept.length;
      for (const { rule, before } of kept.reverse()) {
        if (before) await watch.save(before, false);
        else watch.remove(rule.id);
      }
      return { position, thrown };
    }
  }
  return null;
}
