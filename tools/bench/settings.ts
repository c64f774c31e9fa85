import { parseArgs } from 'node:util';
import { gibibyte, kibibyte, mebibyte } from './work.ts';

const chapters = ['large', 'small', 'memory', 'scan', 'loop', 'launch', 'size', 'service'] as const;
/** Slow chapters, which only run if named. */
const onDemand = ['line', 'million', 'manners'] as const;
export type Chapter = (typeof chapters)[number] | (typeof onDemand)[number];
const lineNames = ['office', 'fast', 'long', 'small', 'village', 'stalls', 'resets'] as const;
export type LineName = (typeof lineNames)[number];

export interface Settings {
  readonly json: boolean;
  readonly quick: boolean;
  readonly only: readonly Chapter[];
  readonly lines: readonly LineName[];
  readonly runs: number;
  /** Parent of the temporary folder for the files to send; null: the system's. */
  readonly folder: string | null;
  readonly largeBytes: number;
  readonly smallFiles: number;
  readonly smallBytes: number;
  readonly scanFiles: number;
  readonly launches: number;
  readonly starts: number;
  readonly watchedFiles: number;
  readonly idleSeconds: number;
  readonly manyFiles: number;
  readonly mannerSeconds: number;
  readonly memorySizes: readonly number[];
}

const fullSettings = {
  runs: 5,
  largeBytes: 2 * gibibyte,
  smallFiles: 10_000,
  smallBytes: 64 * kibibyte,
  scanFiles: 100_000,
  launches: 10,
  starts: 9,
  watchedFiles: 100_000,
  idleSeconds: 120,
  manyFiles: 1_000_000,
  mannerSeconds: 60,
  memorySizes: [gibibyte, 8 * gibibyte, 64 * gibibyte],
};

const quickSettings = {
  runs: 3,
  largeBytes: 256 * mebibyte,
  smallFiles: 1_000,
  smallBytes: 64 * kibibyte,
  scanFiles: 10_000,
  launches: 3,
  starts: 3,
  watchedFiles: 10_000,
  idleSeconds: 10,
  manyFiles: 100_000,
  mannerSeconds: 10,
  memorySizes: [256 * mebibyte, gibibyte],
};

export const usage = `npm run bench -- [--json] [--quick] [--only large|small|memory|scan|loop|launch|size|service|line|million|manners] [--line NAME] [--runs N] [--folder PATH]

  --json     the last line is one JSON object with all figures
  --quick    small sizes, three runs: to see that it works
  --only     one chapter; may be given several times; all but line, which takes half an hour, million, which makes a million files, and manners, which uploads slowly on a desktop, without it
  --line     of that chapter: office, fast, long, small, village, stalls, resets; may be given several times
  --runs     measured runs of each contender (default 5)
  --folder   where the files to send are made (default: the system's temporary folder; a full run needs 3 GB)`;

/** Returns null for `--help`. Throws an error with the usage for invalid arguments. */
export function readSettings(args: readonly string[]): Settings | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true },
      line: { type: 'string', multiple: true },
      runs: { type: 'string' },
      folder: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const sizes = values.quick ? quickSettings : fullSettings;
  const runs = values.runs === undefined ? sizes.runs : Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs takes a whole number from 1.\n\n${usage}`);
  return {
    ...sizes,
    runs,
    json: values.json,
    quick: values.quick,
    only: values.only?.map((text) => readOne('--only', [...chapters, ...onDemand], text)) ?? chapters,
    lines: values.line?.map((text) => readOne('--line', lineNames, text)) ?? lineNames,
    folder: values.folder ?? null,
  };
}

function readOne<Name extends string>(option: string, names: readonly Name[], text: string): Name {
  const foundName = names.find((knownName) => knownName === text);
  if (!foundName) throw new Error(`${option} takes one of ${names.join(', ')}.\n\n${usage}`);
  return foundName;
}
