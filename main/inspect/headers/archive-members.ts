import { createIgnore } from '../../files/left-out/ignore-rules.ts';
import { canBeOpened, openMember } from '../formats/archives/members.ts';
import { longestDirectory, type ZipEntry, zipEntries } from '../formats/archives/zip.ts';
import { FileBytes, PastEnd, ReadEnough } from '../formats/base/file-bytes.ts';
import { isData } from '../formats/read-file.ts';
import { extensionOf, planLooks } from './choose.ts';
import { headTask } from './head-task.ts';
import {
  type ArchiveMembers,
  asBeside,
  type HeadAnswer,
  type HeadTask,
  type OpenedFile,
  readHead,
  type WithFile,
} from './read-head.ts';

/** ms. Files beyond that count by name. */
const longestMs = 2_000;
const maxExamples = 3;
/** Limits in characters: a name, all names, and references in the files read. */
const [longestName, longestNames, longestReferences] = [1_024, 1_000_000, 500_000];

const ignore = createIgnore();
/** Nested archives aren't opened. */
const nested = new Set(['zip', 'kmz', '3tz', '7z', 'usdz', 'slpk', 'sog', 'ifczip']);

interface MembersTask extends Pick<HeadTask, 'key'> {
  readonly most: number;
  readonly deep: boolean;
  /** Monotonic ms. */
  readonly now: () => number;
}

interface MembersRead {
  readonly members: ArchiveMembers;
  /** A member can’t be unpacked. */
  readonly isDamaged: boolean;
}

/**
 * Reads members and their sidecars as if unpacked into a folder of the archive’s name. Null without a
 * readable directory.
 */
export async function readMembers(
  { size, read }: OpenedFile,
  { key, most, deep, now }: MembersTask,
): Promise<MembersRead | null> {
  const began = now();
  const files = filesOf(await entriesOf(size, read));
  if (files === null) return null;
  const names = files.map(({ name }) => name);
  const plan = planLooks(names.map((key) => ({ key, size: 0 })));
  let isDamaged = false;
  const open: WithFile = async (path, use) => {
    const entry = files[Number(path)]?.entry;
    const member = entry ? await openMember(read, size, entry) : null;
    isDamaged ||= member === 'damaged';
    return member === null || member === 'damaged' ? null : use(member).catch(() => null);
  };
  const heads: { readonly key: string; readonly answer: HeadAnswer }[] = [];
  const totals: Record<string, number> = {};
  const unread = { count: 0, examples: [] as string[] };
  let referencesLeft = longestReferences;
  let tries = 0;
  const fileAt = (index: number) => ({ key: names[index] ?? '', path: String(index), version: null });
  const besideOf = (low: string) => {
    const index = plan.sidecars.get(low);
    return index === undefined ? undefined : fileAt(index);
  };
  const readMember = async (index: number): Promise<HeadAnswer | null> => {
    const entry = files[index]?.entry;
    const name = names[index] ?? '';
    if (!entry || !canBeOpened(entry) || nested.has(extensionOf(name)) || name.length > longestName)
      return null;
    if (tries >= most || now() - began >= longestMs) return null;
    tries++;
    const task = headTask(fileAt(index), besideOf);
    const answer = await readHead(deep && plan.deep.has(index) ? { ...task, deep: true } : task, open);
    return answer.unread ? null : answer;
  };
  for (const index of plan.order) {
    const name = names[index] ?? '';
    const ending = extensionOf(name);
    totals[ending] = (totals[ending] ?? 0) + 1;
    const said = await readMember(index);
    if (said) {
      const { names: references = [], ...answer } = said;
      referencesLeft -= references.reduce((sum, { length }) => sum + length, 0);
      const all = references.length > 0 && referencesLeft >= 0 ? { ...answer, names: references } : answer;
      heads.push({ key: `${key}/${name}`, answer: plan.isMain(ending) ? all : asBeside(all) });
    } else if (isData(`.${ending}`)) {
      unread.count++;
      if (unread.examples.length < maxExamples) unread.examples.push(`${key}/${name.slice(0, longestName)}`);
    }
  }
  const isShort = names.reduce((sum, { length }) => sum + length, 0) <= longestNames;
  const keys = isShort ? names.map((name) => `${key}/${name}`) : null;
  return { members: { heads, unread, totals, keys }, isDamaged };
}

async function entriesOf(size: number, read: OpenedFile['read']): Promise<readonly ZipEntry[]> {
  try {
    return await zipEntries(new FileBytes(size, read, 2 * longestDirectory));
  } catch (error) {
    if (error instanceof PastEnd || error instanceof ReadEnough) return [];
    throw error;
  }
}

/** Omits folders and ignored files. Null for an empty archive. */
function filesOf(
  entries: readonly ZipEntry[],
): readonly { readonly name: string; readonly entry: ZipEntry }[] | null {
  if (entries.length === 0) return null;
  return entries.flatMap((entry) => {
    const name = nameOf(entry);
    const parts = name.split('/');
    const isLeftOut = parts.some((part, at) => ignore(part, at < parts.length - 1));
    return name === '' || name.endsWith('/') || isLeftOut ? [] : [{ name, entry }];
  });
}

/**
 * Resolves the name like most unpackers: with slashes, inside the target folder. Keys must not contain NUL.
 */
const nameOf = ({ name }: ZipEntry): string =>
  name
    .replaceAll('\\', '/')
    .replaceAll('\0', '\ufffd')
    .replace(/^(?:\.?\/)+/, '')
    .normalize('NFC');
