import type { BrowserWindow } from 'electron';
import { TileliftError } from '../../errors.ts';
import type { PolicyState } from '../../policy/policy.ts';
import { setByPolicy } from '../../policy/refusals.ts';
import { type Program, type Programs, refuseReplaceableProgram } from '../../run-program.ts';
import { say } from '../../say.ts';
import type { SettingsStore } from '../../settings.ts';
import { openFolders } from '../../watch/model/rule.ts';
import { isPolicyRule } from '../../watch/rules/policy-rules.ts';
import type { CallHandlers } from '../bind.ts';
import { askPerson, chooseToOpen } from '../dialogs.ts';

type ProgramCall = Extract<keyof CallHandlers, `programs.${string}`>;

export interface ProgramParts {
  readonly settings: SettingsStore;
  readonly policy: PolicyState;
  readonly window: () => BrowserWindow | undefined;
}

const noPrograms: Programs = { success: null, failure: null };

/**
 * Handlers for programs that start after sources have ended. So that a compromised page can't run anything,
 * programs come from a system dialog or the settings, and the user confirms program and arguments in a system
 * dialog.
 */
export function programHandlers({ settings, policy, window }: ProgramParts): Pick<CallHandlers, ProgramCall> {
  /** Chosen in the system dialog since startup. */
  const chosenPrograms = new Set<string>();
  const programsOf = (id: string) => settings.get().programs[id] ?? noPrograms;
  return {
    'programs.of': async (id) => programsOf(id),
    'programs.choose': async () => {
      const options = { title: say('dialogs.program'), properties: ['openFile' as const] };
      const [file] = await chooseToOpen(window(), options);
      if (file === undefined) return null;
      chosenPrograms.add(file);
      return file;
    },
    'programs.set': async ({ id, when, program }) => {
      const { watchRules, programs } = settings.get();
      const rule = watchRules.find((watchRule) => watchRule.id === id);
      if (!rule) throw new TileliftError('watch-rule-unknown');
      if (isPolicyRule(id)) throw setByPolicy(policy);
      if (program) {
        const { file } = program;
        if (!chosenPrograms.has(file) && programsOf(id)[when]?.file !== file)
          throw new TileliftError('path-not-given', { subject: file });
        await refuseReplaceableProgram(program, watchRules.flatMap(openFolders));
        if (!(await agrees(program, rule.name))) throw new TileliftError('path-not-given', { subject: file });
      }
      settings.update({ programs: { ...programs, [id]: { ...programsOf(id), [when]: program } } });
      return programsOf(id);
    },
  };

  function agrees(program: Program, rule: string): Promise<boolean> {
    const lines = [program.file, ...program.arguments.map((argument) => JSON.stringify(argument))];
    return askPerson(window(), {
      message: say('dialogs.runProgram', { rule }),
      detail: say('dialogs.runProgramDetail', { command: lines.join('\n') }),
      yes: say('dialogs.allowProgram'),
      no: say('dialogs.dontAllowProgram'),
    });
  }
}

/** Removes the programs of a deleted rule. */
export function forgetPrograms(settings: SettingsStore, ruleId: string): void {
  const { [ruleId]: _gone, ...otherPrograms } = settings.get().programs;
  settings.update({ programs: otherPrograms });
}
