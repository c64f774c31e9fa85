import { open, readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { say } from '../../../strings/say.ts';
import { createPage } from '../../source/pages.ts';
import type { SurveyedSource } from '../survey/found-source.ts';
import type { Doubt } from './completeness.ts';

/** Lowest two bits of a file’s flags: 0 reads only (`open(2)`). */
const accessMode = 0b11;
/** Files of a source that are tried on Windows. */
const mostTried = 200;

export interface OpenForWritingOptions {
  readonly platform: NodeJS.Platform;
  /** Where Linux tells of its processes. */
  readonly proc: string;
}

const here: OpenForWritingOptions = { platform: process.platform, proc: '/proc' };

/**
 * Whether some program has a file of the source open for writing: it may have paused, and will go on. Null when none has, or the system doesn’t tell.
 *
 * Linux tells of the processes that this user may look into; the others are passed over. Windows refuses to open what a program copies to; not yet seen
 * there. macOS doesn’t tell.
 */
export async function findWriter(
  source: SurveyedSource,
  options: OpenForWritingOptions = here,
): Promise<Doubt | null> {
  const found =
    options.platform === 'linux'
      ? await openOnLinux(source, options.proc)
      : options.platform === 'win32'
        ? await heldOnWindows(source)
        : null;
  return found === null
    ? null
    : { kind: 'wait-longer', reason: say('sources.doubt.open', { file: basename(found) }) };
}

async function openOnLinux({ files, keysFrom }: SurveyedSource, proc: string): Promise<string | null> {
  const page = createPage();
  const paths = new Set<string>();
  // The system names files by where they really are; a watched folder may be reached through a link.
  const really = await realpath(keysFrom).catch(() => keysFrom);
  for (const { path } of files) {
    paths.add(really + path.slice(keysFrom.length));
    if (page.isFull()) await page.turn();
  }
  for (const pid of await namesIn(proc)) {
    if (!/^\d+$/.test(pid)) continue;
    const descriptors = await namesIn(`${proc}/${pid}/fd`);
    const open = await Promise.all(
      descriptors.map(async (descriptor) => {
        const path = await readlink(`${proc}/${pid}/fd/${descriptor}`).catch(() => '');
        return paths.has(path) && (await writes(`${proc}/${pid}/fdinfo/${descriptor}`)) ? path : null;
      }),
    );
    const found = open.find((path) => path !== null);
    if (found) return found;
    if (page.isFull()) await page.turn();
  }
  return null;
}

/** Processes end while they are looked at, and most of them belong to others. */
const namesIn = (path: string): Promise<readonly string[]> => readdir(path).catch(() => []);

async function writes(fdinfo: string): Promise<boolean> {
  const text = await readFile(fdinfo, 'utf8').catch(() => '');
  const flags = /^flags:\s*([0-7]+)/m.exec(text)?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & accessMode) !== 0;
}

/** Opening for reading and writing changes nothing, and is refused while a program doesn’t share the file. */
async function heldOnWindows({ files }: SurveyedSource): Promise<string | null> {
  for (const { path } of files.toSorted((a, b) => b.mtimeMs - a.mtimeMs).slice(0, mostTried)) {
    try {
      await (await open(path, 'r+')).close();
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EBUSY') return path;
    }
  }
  return null;
}
