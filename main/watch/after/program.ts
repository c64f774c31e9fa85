import { isAbsolute } from 'node:path';
import { z } from 'zod';

/** A program that is started when a source has ended: a setting of this computer, never part of a rule. */
export const programSchema = z.object({
  /** Absolute. */
  file: z.string().min(1).max(4_000).refine(isAbsolute),
  /** One each, handed over as they are: no shell reads them. */
  arguments: z
    .array(
      z
        .string()
        .max(2_000)
        .regex(/^[^\0]*$/),
    )
    .max(50)
    .readonly(),
});

export const programsSchema = z.object({
  success: programSchema.nullable(),
  failure: programSchema.nullable(),
});

export type Program = z.infer<typeof programSchema>;
export type Programs = z.infer<typeof programsSchema>;

/** What placeholders stand for; null for what there is none of, as nothing. */
export interface ProgramFacts {
  readonly assetId: number | null;
  /** Absolute: it never begins like a switch. */
  readonly source: string;
  readonly receipt: string | null;
  readonly outcome: string;
}

const placeholder = /\{(asset-id|source|receipt|outcome)\}/g;

/** The arguments as they are handed over. Each stays one, whatever stands in a name; what is put in is not looked through again. Pure. */
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
