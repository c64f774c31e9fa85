import { howToFor } from '../../../shared/how-to/how-to.ts';
import type { Terminal } from '../../../shared/how-to/shell-words.ts';
import { unlistedFormat } from '../../../shared/how-to/unlisted-formats.ts';

/** Extensions of files that are converted directly, without a sidecar. */
export const convertedEndings = ['gpkg', 'ecw', 'sid', 'e57', 'xyz', 'cityjson', 'dxf', 'csv'] as const;

interface CopiedCommand {
  readonly command: string;
  /** Words of the command in each shell, including the file's name or placeholder. */
  readonly words: readonly string[];
}

/** The commands for a file with their expected words. */
export function copiedCommands(fileName: string, terminal: Terminal): readonly CopiedCommand[] {
  const howTo = howToFor(fileName, terminal);
  if (!howTo) return [];
  const dot = fileName.lastIndexOf('.');
  const stem = howTo.hasStandIn ? null : fileName.slice(0, dot);
  const extension = fileName.slice(dot + 1);
  const asFile = (path: string) =>
    path.startsWith('-') || (path.includes(':') && !/^[a-z]:[\\/]/i.test(path)) ? `./${path}` : path;
  const wordFor = (word: string) => {
    if (word === '{in}') return stem === null ? `input.${extension}` : asFile(fileName);
    const [, output] = /^\{out:([a-z]+)\}$/.exec(word) ?? [];
    if (output === undefined) return word;
    return stem === null ? `output.${output}` : asFile(`${stem}.${output}`);
  };
  const { commands: templates = [] } = unlistedFormat(howTo.id) as { commands?: readonly string[] };
  return templates.map((template, at) => ({
    command: howTo.commands[at] ?? '',
    words: template.split(' ').map(wordFor),
  }));
}
