import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { anyProgramSchema, type Program, type Programs } from '../../../shared/schemas/settings.ts';

/** As this computer takes it: which paths are absolute depends on its system. */
export const programSchema = anyProgramSchema.extend({
  file: anyProgramSchema.shape.file.refine(isAbsolute),
});

export const programsSchema = z.object({
  success: programSchema.nullable(),
  failure: programSchema.nullable(),
});

export type { Program, Programs };

/** What placeholders stand for; null for what there is none of, as nothing. */
export interface ProgramFacts {
  readonly assetId: number | null;
  /** Absolute: it never begins like a switch. */
  readonly source: string;
  readonly receipt: string | null;
  readonly outcome: string;
}

const placeholder = /\{(asset-id|source|receipt|outcome)\}/g;

/**
 * The arguments as they are handed over. Each stays one, whatever stands in a name; what is put in is not
 * scanned again. Pure.
 */
export function filledArguments(program: Program, facts: ProgramFacts): readonly string[] {
  const values: Readonly<Record<string, string>> = {
    'asset-id': facts.assetId === null ? '' : String(facts.assetId),
    source: facts.source,
    receipt: facts.receipt ?? '',
    outcome: facts.outcome,
  };
  return program.arguments.map((argument) =>
    argument.replace(placeholder, (_whole, name) => values[name] ?? ''),
  );
}

/** What a program needs to find its way, and nothing that says who is signed in where. */
const passedOn = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'TEMP', 'TMP'],
  ...['SystemRoot', 'SystemDrive', 'windir', 'PATHEXT', 'USERPROFILE', 'USERNAME', 'APPDATA', 'LOCALAPPDATA'],
  ...['ProgramData', 'ProgramFiles', 'DISPLAY', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR'],
];

export function programEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    passedOn.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
