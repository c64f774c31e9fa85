import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { anyProgramSchema, type Program, type Programs } from '../../../shared/schemas/settings.ts';

/** A program on this computer, whose system defines absolute paths. */
export const programSchema = anyProgramSchema.extend({
  file: anyProgramSchema.shape.file.refine(isAbsolute),
});

export const programsSchema = z.object({
  success: programSchema.nullable(),
  failure: programSchema.nullable(),
});

export type { Program, Programs };

/** Values of the placeholders; null becomes an empty text. */
export interface ProgramFacts {
  readonly assetId: number | null;
  /** Absolute, so that it never looks like a switch. */
  readonly source: string;
  readonly receipt: string | null;
  readonly outcome: string;
}

const placeholder = /\{(asset-id|source|receipt|outcome)\}/g;

/** Fills in placeholders once. Each argument stays one, whatever a name contains. Pure. */
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

/** The variables that programs need; none of them reveals accounts. */
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
