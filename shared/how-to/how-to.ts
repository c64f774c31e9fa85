import { quoteFile, type Terminal } from './shell-words.ts';
import { type UnlistedFormatId, unlistedFormat, unlistedFormats } from './unlisted-formats.ts';

/** Advice for a format that the service’s guide doesn’t list. It never blocks an upload. */
export interface HowTo {
  /** Its text is `howTo.<id>` in the catalogue. */
  readonly id: UnlistedFormatId;
  /** Alternatives to copy into a terminal in the source’s folder, unless the text says otherwise. */
  readonly commands: readonly string[];
  /** Commands use `input` and `output`, because the name is too long or no shell-safe quoting exists. */
  readonly hasStandIn: boolean;
  /** Newer editions of the guide list the format, so it may work as it is. */
  readonly inNewerGuides: boolean;
}

const byEnding: ReadonlyMap<string, UnlistedFormatId> = new Map(
  (Object.keys(unlistedFormats) as UnlistedFormatId[]).flatMap((id) =>
    unlistedFormat(id)
      .endings.split(' ')
      .map((extension) => [extension, id] as const),
  ),
);

/** Longest path in a command, characters. Of a longer one, only the end counts. */
const maxName = 4_096;

/** Returns advice by file name, which may hold `/`-separated folders. Null for listed and unknown formats. */
export function howToFor(fileName: string, terminal: Terminal): HowTo | null {
  const name = fileName.slice(-maxName);
  const id = formatOf(name);
  if (id === null) return null;
  const { commands = [], main, inNewerGuides = false } = unlistedFormat(id);
  const { file, stem, ending: extension } = partsOf(name, main);
  const hasStandIn = fileName.length > maxName || quoteFile(file, terminal) === null;
  const wordFor = (path: string, standIn: string) =>
    (hasStandIn ? null : quoteFile(path, terminal)) ?? standIn;
  // Replaces in one pass, because a file’s name may itself contain `{in}`.
  const fillIn = (command: string) =>
    command.replace(/\{in\}|\{out:([a-z]+)\}/g, (_, output?: string) =>
      output === undefined
        ? wordFor(file, `input.${extension}`)
        : wordFor(`${stem}.${output}`, `output.${output}`),
    );
  return { id, inNewerGuides, hasStandIn: hasStandIn && commands.length > 0, commands: commands.map(fillIn) };
}

const maxFormats = 8;

/** Returns advice once per format, with its first file, at most eight. */
export function howTosFor(
  fileNames: readonly string[],
  terminal: Terminal,
): readonly (HowTo & { readonly fileName: string })[] {
  const fileByFormat = new Map<UnlistedFormatId, string>();
  for (const fileName of fileNames) {
    const id = formatOf(fileName);
    if (id !== null && !fileByFormat.has(id)) fileByFormat.set(id, fileName);
    if (fileByFormat.size === maxFormats) break;
  }
  return [...fileByFormat.values()].flatMap((fileName) => {
    const howTo = howToFor(fileName, terminal);
    return howTo ? { ...howTo, fileName } : [];
  });
}

export const hasHowTo = (fileName: string): boolean => formatOf(fileName) !== null;

function formatOf(name: string): UnlistedFormatId | null {
  // Files of a file geodatabase share endings with other formats.
  if (geodatabaseOf(name) !== null) return 'geodatabase';
  if (/\.city\.json$/i.test(name)) return 'cityjson';
  return byEnding.get(endingOf(name)) ?? null;
}

function geodatabaseOf(name: string): string | null {
  const parts = name.split('/');
  const partIndex = parts.findIndex((part) => part.toLowerCase().endsWith('.gdb'));
  return partIndex === -1 ? null : parts.slice(0, partIndex + 1).join('/');
}

function partsOf(name: string, main: string | undefined) {
  const geodatabase = geodatabaseOf(name) ?? name;
  const extension = endingOf(geodatabase);
  const stem = extension === '' ? geodatabase : geodatabase.slice(0, -extension.length - 1);
  return main === undefined
    ? { file: geodatabase, stem, ending: extension }
    : { file: `${stem}.${main}`, stem, ending: main };
}

/** In lower case, without the dot; may be empty. */
function endingOf(name: string): string {
  const fileName = name.slice(name.lastIndexOf('/') + 1);
  const dot = fileName.lastIndexOf('.');
  return dot <= 0 ? '' : fileName.slice(dot + 1).toLowerCase();
}
