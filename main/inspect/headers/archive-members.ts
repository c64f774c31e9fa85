import { createIgnore } from '../../files/left-out/ignore-rules.ts';
import { canBeOpened, openMember } from '../formats/archives/members.ts';
import { maxDirectoryLength, type ZipEntry, zipEntries } from '../formats/archives/zip.ts';
import { FileBytes, PastEndError, ReadLimitError } from '../formats/base/file-bytes.ts';
import { isDataExtension } from '../formats/read-file.ts';
import { extensionOf, namesOf, planInspection } from './choose.ts';
import { createHeaderTask } from './header-task.ts';
import {
  type ArchiveMembers,
  asAuxiliary,
  type HeaderAnswer,
  type HeaderTask,
  type OpenedFile,
  readFileHeader,
  type WithFile,
} from './read-header.ts';

/** Limits of members read: their number, and ms. Others count by name. */
const [maxMembers, maxDurationMs] = [1_000, 2_000];
const maxExamples = 3;
/** Limits in characters: a name, all names, and references in the files read. */
const [maxNameLength, maxTotalNameLength, maxReferenceLength] = [1_024, 1_000_000, 500_000];

const ignore = createIgnore();
/** Nested archives aren't opened. */
const nestedExtensions = new Set(['zip', 'kmz', '3tz', '7z', 'usdz', 'slpk', 'sog', 'ifczip']);

interface MembersTask extends Pick<HeaderTask, 'key'> {
  /** ms. Default: `maxDurationMs`. */
  readonly longestMs?: number;
  /** Monotonic ms. */
  readonly currentTime: () => number;
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
  { key, longestMs = maxDurationMs, currentTime }: MembersTask,
): Promise<MembersRead | null> {
  const startTime = currentTime();
  const files = filesOf(await entriesOf(size, read));
  if (files === null) return null;
  const names = files.map(({ name }) => name);
  const plan = planInspection(names.map((key) => ({ key, size: 0 })));
  let isDamaged = false;
  const withMember: WithFile = async (path, useMember) => {
    const entry = files[Number(path)]?.entry;
    const member = entry ? await openMember(read, size, entry) : null;
    isDamaged ||= member === 'damaged';
    return member === null || member === 'damaged' ? null : useMember(member).catch(() => null);
  };
  const heads: { readonly key: string; readonly answer: HeaderAnswer }[] = [];
  const totals: Record<string, number> = {};
  const unreadMembers = { count: 0, examples: [] as string[] };
  let remainingReferenceLength = maxReferenceLength;
  let readCount = 0;
  let isPartial: true | undefined;
  const memberFile = (index: number) => ({ key: names[index] ?? '', path: String(index), version: null });
  const sidecarFor = (lowerCaseKey: string) => {
    const index = plan.sidecars.get(lowerCaseKey);
    return index === undefined ? undefined : memberFile(index);
  };
  const readMember = async (index: number): Promise<HeaderAnswer | null> => {
    const entry = files[index]?.entry;
    const name = names[index] ?? '';
    if (
      !entry ||
      !canBeOpened(entry) ||
      nestedExtensions.has(extensionOf(name)) ||
      name.length > maxNameLength
    )
      return null;
    if (readCount >= maxMembers) return null;
    if (currentTime() - startTime >= longestMs) {
      if (longestMs < maxDurationMs) isPartial = true;
      return null;
    }
    readCount++;
    const task = createHeaderTask(memberFile(index), sidecarFor);
    const answer = await readFileHeader(plan.deep.has(index) ? { ...task, deep: true } : task, withMember);
    return answer.unread ? null : answer;
  };
  for (const index of plan.order) {
    const name = names[index] ?? '';
    const extension = extensionOf(name);
    totals[extension] = (totals[extension] ?? 0) + 1;
    const memberAnswer = await readMember(index);
    if (memberAnswer) {
      const { names: references = [], ...answer } = memberAnswer;
      remainingReferenceLength -= references.reduce((sum, { length }) => sum + length, 0);
      const fullAnswer =
        references.length > 0 && remainingReferenceLength >= 0 ? { ...answer, names: references } : answer;
      heads.push({
        key: `${key}/${name}`,
        answer: plan.isMain(extension) ? fullAnswer : asAuxiliary(fullAnswer),
      });
    } else if (isDataExtension(`.${extension}`)) {
      unreadMembers.count++;
      if (unreadMembers.examples.length < maxExamples)
        unreadMembers.examples.push(`${key}/${name.slice(0, maxNameLength)}`);
    }
  }
  const isShort = names.reduce((sum, { length }) => sum + length, 0) <= maxTotalNameLength;
  const keys = isShort ? names.map((name) => `${key}/${name}`) : null;
  const members = { names: namesOf(names), heads, unread: unreadMembers, totals, keys };
  return { members: isPartial ? { isPartial, ...members } : members, isDamaged };
}

async function entriesOf(size: number, read: OpenedFile['read']): Promise<readonly ZipEntry[]> {
  try {
    return await zipEntries(new FileBytes(size, read, 2 * maxDirectoryLength));
  } catch (error) {
    if (error instanceof PastEndError || error instanceof ReadLimitError) return [];
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
    const pathParts = name.split('/');
    const isIgnored = pathParts.some((pathPart, partIndex) =>
      ignore(pathPart, partIndex < pathParts.length - 1),
    );
    return name === '' || name.endsWith('/') || isIgnored ? [] : [{ name, entry }];
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
