import { quoteFile, type Terminal } from './shell-words.ts';
import { type UnlistedFormatId, unlistedFormat, unlistedFormats } from './unlisted-formats.ts';

/** What to do about a file whose format the service’s guide does not list. Never a reason to refuse it. */
export interface HowTo {
  /** Its sentence is `howTo.<id>` in the catalogue. */
  readonly id: UnlistedFormatId;
  /** To be copied into a terminal, in the folder of the source; any of them does it, unless words say so. */
  readonly commands: readonly string[];
  /** The commands say `input` and `output`: no quoting keeps the file’s name one word in each shell. */
  readonly hasStandIn: boolean;
  /** Newer editions of the guide list the format: it may well be taken as it is. */
  readonly inNewerGuides: boolean;
}

const byEnding: ReadonlyMap<string, UnlistedFormatId> = new Map(
  (Object.keys(unlistedFormats) as UnlistedFormatId[]).flatMap((id) =>
    unlistedFormat(id)
      .endings.split(' ')
      .map((ending) => [ending, id] as const),
  ),
);

/** Longer names are no names of files. */
const maxName = 4_096;

/**
 * What the service takes instead of a file, by its name, which may hold folders, `/`-separated. Null for a
 * format that the guide lists and for an unknown format. A name that can’t be quoted safely in every shell of
 * the system is `input` with its ending in the commands.
 */
export function howToFor(fileName: string, terminal: Terminal): HowTo | null {
  const name = fileName.slice(0, maxName);
  const id = formatOf(name);
  if (id === null) return null;
  const { commands = [], main, inNewerGuides = false } = unlistedFormat(id);
  const { file, stem, ending } = partsOf(name, main);
  const hasStandIn = quoteFile(file, terminal) === null;
  const wordFor = (path: string, standIn: string) =>
    (hasStandIn ? null : quoteFile(path, terminal)) ?? standIn;
  // One pass: a file’s name may itself hold `{in}`.
  const fill = (command: string) =>
    command.replace(/\{in\}|\{out:([a-z]+)\}/g, (_, output?: string) =>
      output === undefined
        ? wordFor(file, `input.${ending}`)
        : wordFor(`${stem}.${output}`, `output.${output}`),
    );
  return { id, inNewerGuides, hasStandIn: hasStandIn && commands.length > 0, commands: commands.map(fill) };
}

/** So many formats of one source are enough to read. */
const maxFormats = 8;

/** Of many files: each format once, with the first file of it, in their order; at most eight. */
export function howTosFor(
  fileNames: readonly string[],
  terminal: Terminal,
): readonly (HowTo & { readonly fileName: string })[] {
  const found = new Map<UnlistedFormatId, string>();
  for (const fileName of fileNames) {
    const id = formatOf(fileName);
    if (id !== null && !found.has(id)) found.set(id, fileName);
    if (found.size === maxFormats) break;
  }
  return [...found.values()].flatMap((fileName) => {
    const howTo = howToFor(fileName, terminal);
    return howTo ? { ...howTo, fileName } : [];
  });
}

/** Whether something is known of a file’s format, by its name. */
export const hasHowTo = (fileName: string): boolean => formatOf(fileName) !== null;

/** What the file is called in the catalogue’s table; null for what is no format of it. */
function formatOf(name: string): UnlistedFormatId | null {
  // What a file geodatabase is made of has endings that other formats use too.
  if (geodatabaseOf(name) !== null) return 'geodatabase';
  if (/\.city\.json$/i.test(name)) return 'cityjson';
  return byEnding.get(endingOf(name)) ?? null;
}

/** The folder of a file geodatabase that holds the file, or the name itself where it is one. */
function geodatabaseOf(name: string): string | null {
  const parts = name.split('/');
  const at = parts.findIndex((part) => part.toLowerCase().endsWith('.gdb'));
  return at === -1 ? null : parts.slice(0, at + 1).join('/');
}

function partsOf(name: string, main: string | undefined) {
  const whole = geodatabaseOf(name) ?? name;
  const ending = endingOf(whole);
  const stem = ending === '' ? whole : whole.slice(0, -ending.length - 1);
  return main === undefined ? { file: whole, stem, ending } : { file: `${stem}.${main}`, stem, ending: main };
}

/** In lower case, without the dot; empty where there is none. */
function endingOf(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1);
  const dot = last.lastIndexOf('.');
  return dot <= 0 ? '' : last.slice(dot + 1).toLowerCase();
}
