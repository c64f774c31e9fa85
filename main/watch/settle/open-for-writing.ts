import { open, realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { hasCode } from '../../errno.ts';
import { createPage } from '../../source/pages.ts';
import type { SurveyedSource } from '../survey/found-source.ts';
import type { Doubt } from './completeness.ts';
import { OpenFiles } from './open-files.ts';

/** Files of a source that are tried on Windows. */
const mostTried = 200;

export interface OpenForWritingOptions {
  /** Default: this computer's. */
  readonly platform?: NodeJS.Platform;
  /** Default: those of this computer. */
  readonly openFiles?: OpenFiles;
}

/**
 * Whether some program has a file of the source open for writing: it may have paused, and will go on. Null when none has, or the system doesn’t tell.
 *
 * Linux tells of the processes that this user may look into; the others are passed over. Windows refuses to open what a program copies to; not yet seen
 * there. macOS doesn’t tell.
 */
export type FindWriter = (source: SurveyedSource) => Promise<Doubt | null>;

/** One for all rules: they share its looks. */
export function createFindWriter(options: OpenForWritingOptions = {}): FindWriter {
  const { platform = process.platform, openFiles = new OpenFiles() } = options;
  return async (source) => {
    const found =
      platform === 'linux'
        ? await openOnLinux(source, openFiles)
        : platform === 'win32'
          ? await heldOnWindows(source)
          : null;
    return found === null
      ? null
      : { kind: 'wait-longer', reason: { key: 'sources.doubt.open', values: { file: basename(found) } } };
  };
}

async function openOnLinux({ files, keysFrom }: SurveyedSource, open: OpenFiles): Promise<string | null> {
  const page = createPage();
  const paths = new Set<string>();
  // The system names files by where they really are; a watched folder may be reached through a link.
  const really = await realpath(keysFrom).catch(() => keysFrom);
  for (const { path } of files) {
    paths.add(really + path.slice(keysFrom.length));
    if (page.isFull()) await page.turn();
  }
  return open.findAmong(paths);
}

/** Opening for reading and writing changes nothing, and is refused while a program doesn’t share the file. */
async function heldOnWindows({ files }: SurveyedSource): Promise<string | null> {
  for (const { path } of files.toSorted((a, b) => b.mtimeMs - a.mtimeMs).slice(0, mostTried)) {
    try {
      await (await open(path, 'r+')).close();
    } catch (error) {
      if (hasCode(error, 'EBUSY')) return path;
    }
  }
  return null;
}
