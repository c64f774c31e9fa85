import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { type BrowserWindow, clipboard } from 'electron';
import type { ImportedView, ImportWishView, RulesFileView } from '../../../preload/contract.ts';
import type { LocatedProblem } from '../../../shared/watch.ts';
import type { Tilelift } from '../../app.ts';
import { type ErrorRecord, TileliftError, toErrorRecord } from '../../errors.ts';
import type { PolicyState } from '../../policy/policy.ts';
import { say, sayPhrase } from '../../say.ts';
import type { SettingsStore } from '../../settings.ts';
import {
  defaultChoice,
  type Here,
  type ImportChoice,
  importRules,
  planImport,
  replacedBy,
} from '../../watch/rules/import-rules.ts';
import { type FileRule, type RulesFile, readRulesFile } from '../../watch/rules/rules-file.ts';
import { askForFolders } from '../ask-for-folders.ts';
import type { CallHandlers } from '../bind.ts';
import { chooseToOpen } from '../dialogs.ts';
import { folderFields, type GrantedPaths } from '../granted-paths.ts';
import { placedPhrase } from '../views/rule-words.ts';

export interface RulesParts {
  readonly tilelift: Tilelift;
  readonly settings: SettingsStore;
  readonly policy: PolicyState;
  readonly window: () => BrowserWindow | undefined;
  readonly granted: GrantedPaths;
}

/** Far more than a thousand rules need. */
const maxBytes = 20_000_000;

interface OpenFile {
  readonly id: string;
  readonly path: string;
  readonly file: RulesFile;
}

/**
 * Handlers for importing rules. The user chooses the file and confirms folders in system dialogs; the page
 * only selects rules and options.
 */
export function importHandlers(
  parts: RulesParts,
): Pick<CallHandlers, 'rules.open' | 'rules.import' | 'rules.copyProblems'> {
  const { tilelift, settings, window } = parts;
  let openFile: OpenFile | null = null;

  function importContext(): Here {
    const state = tilelift.accounts.state();
    if (state.kind !== 'signed-in')
      throw new TileliftError('not-signed-in', { subject: { key: 'general.theService' } });
    return { rules: settings.get().watchRules, accountId: state.account.id };
  }

  return {
    'rules.open': async () => {
      const title = say('rulesFile.dialog.import');
      const options = {
        title,
        message: title,
        properties: ['openFile' as const],
        filters: [{ name: 'JSON', extensions: ['json'] }],
      };
      const [path] = await chooseToOpen(window(), options);
      if (path === undefined) return null;
      openFile = { id: randomUUID(), path, file: readRulesFile(await readText(path)) };
      return viewOf(openFile, importContext());
    },
    'rules.import': (choice) => importChosen(choice),
    'rules.copyProblems': async () => {
      if (openFile?.file.kind === 'problems')
        clipboard.writeText(problemsText(openFile.path, openFile.file.problems));
    },
  };

  async function importChosen({ file, rules: choices }: ImportWishView): Promise<ImportedView> {
    if (openFile?.id !== file || openFile.file.kind === 'problems')
      throw new TileliftError('input-invalid', { subject: 'rules.import' });
    const fileRules = openFile.file.rules;
    const context = importContext();
    const signedInIds = tilelift.accounts.accounts().map(({ id }) => id);
    const chosenRules = choices.map(({ index, accountId, folder, replace, existing }) => {
      const fileRule = fileRules[index];
      if (!fileRule || ![...signedInIds, fileRule.accountId].includes(accountId))
        throw new TileliftError('input-invalid', { subject: 'rules.import' });
      const choice: ImportChoice = {
        accountId,
        folder: folder ?? fileRule.folder,
        replace,
        takeExisting: existing === 'upload',
      };
      return { given: fileRule, choice };
    });
    const plannedRules = planImport(chosenRules, context);
    const refuseRule = (ruleId: string, error: ErrorRecord): ImportedView => {
      const position = plannedRules.findIndex(({ rule }) => rule.id === ruleId);
      return { kind: 'refused', index: choices[position]?.index ?? 0, error };
    };
    // Check first, so that the user doesn't confirm folders in vain.
    for (const { rule } of plannedRules) {
      try {
        await tilelift.watch.checkAllowed(rule.folder);
      } catch (error) {
        return refuseRule(rule.id, toErrorRecord(error));
      }
    }
    await askForFolders(
      plannedRules.flatMap(({ rule }) => folderFields(rule)),
      say('dialogs.fileFoldersDetail'),
      parts,
    );
    const lateRule = await importRules(plannedRules, context, tilelift.watch);
    return lateRule?.error
      ? refuseRule(lateRule.rule.id, lateRule.error)
      : { kind: 'imported', count: plannedRules.length };
  }
}

async function viewOf({ id, path, file }: OpenFile, context: Here): Promise<RulesFileView> {
  if (file.kind === 'problems') {
    return { kind: file.kind, id, path, problems: file.problems };
  }
  const rules = await Promise.all(
    file.rules.map(async (rule) => {
      const { name, folder, unit, kindFrom, sourceType } = rule;
      const { accountId } = defaultChoice(rule, context);
      const replaces = replacedBy(rule, context)?.name ?? null;
      return {
        name,
        folder,
        unit,
        kindFrom,
        sourceType,
        accountId,
        replaces,
        isThere: await hasFolder(rule),
      };
    }),
  );
  return { kind: file.kind, id, path, rules };
}

function hasFolder({ folder }: FileRule): Promise<boolean> {
  return stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

async function readText(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > maxBytes) throw new TileliftError('rules-file-unreadable', { subject: path });
  return readFile(path, 'utf8').catch((cause) => {
    throw new TileliftError('rules-file-unreadable', { subject: path, cause });
  });
}

function problemsText(path: string, problems: readonly LocatedProblem[]): string {
  return [path, ...problems.map((problem) => sayPhrase(placedPhrase(problem))), ''].join('\n');
}
