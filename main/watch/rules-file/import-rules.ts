import { randomUUID } from 'node:crypto';
import type { WatchService } from '../model.ts';
import { isPolicyRule } from '../policy-rules/read-policy-rules.ts';
import type { WatchRule } from '../rule.ts';
import type { FileRule } from './rules-file.ts';

/** What a person has said of one rule of a file. */
export interface ImportChoice {
  readonly accountId: string;
  /** Absolute. */
  readonly folder: string;
  /** A rule of the same id that is here makes room; else both are kept. */
  readonly replace: boolean;
  /** Also what is in the folder by now; of a rule that takes another's place, what that one did not take. */
  readonly takeExisting: boolean;
}

/** What this computer has. */
export interface Here {
  readonly rules: readonly WatchRule[];
  /** The account that is current. */
  readonly accountId: string;
}

/** A rule of a file as it would be kept here. */
interface ImportedRule {
  readonly rule: WatchRule;
  /** The rule of the same id that it takes the place of; null for a new one. */
  readonly before: WatchRule | null;
  readonly takeExisting: boolean;
}

/**
 * What a person is offered: the account that the rule names, signed in or not, and the current one for a rule
 * that names none; what is there is left as it is. Pure.
 */
export function defaultChoice({ accountId, folder }: FileRule, here: Here): ImportChoice {
  return { accountId: accountId ?? here.accountId, folder, replace: true, takeExisting: false };
}

/**
 * The rule here that one of a file would take the place of; null for none. A rule of a policy, copied out of
 * somewhere, takes nobody's. Pure.
 */
export function replacedBy({ id }: FileRule, { rules }: Pick<Here, 'rules'>): WatchRule | null {
  if (id === undefined || isPolicyRule(id)) return null;
  return rules.find((rule) => rule.id === id) ?? null;
}

/**
 * What becomes of a file's rules on this computer. One that takes another's place stays on or off as that
 * was; others come off. Pure but for new ids.
 */
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

/** Keeps all of them or, where one is refused, none. Null: they are kept. */
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
