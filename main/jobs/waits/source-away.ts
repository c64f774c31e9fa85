import { lstat } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Subject } from '../../../strings/said-error.ts';
import { type ErrorCode, TileliftError } from '../../errors.ts';
import { withoutStall } from '../../files/stalled-read.ts';
import type { TransferFile } from '../../transfer/transfer-model.ts';
import type { JobRecord, Journal } from '../journal/journal-model.ts';
import type { NewJob } from '../model.ts';
import type { FolderLooks } from './folder-looks.ts';

/** How an upload fails when its source has changed or can't be read: a drive that has gone looks the same. */
const sourceCodes: ReadonlySet<ErrorCode> = new Set([
  'source-missing',
  'source-empty',
  'source-unreadable',
  'source-stalled',
  'source-changed',
]);
/** How long a file may take to say what it is, ms. */
const patienceMs = 5_000;

/**
 * What stands behind an error that ended an upload's step.
 *
 * - `away`: the source's folder went with its drive; it may come back.
 * - `back`: it was away for a moment, and the file in question is there as it was.
 * - `itself`: the source's own matter, or nothing of the source at all.
 */
type SourceVerdict =
  | ({ readonly kind: 'away' } & AwayFolder)
  /** `times`: so often it is worth continuing without getting any further. */
  | { readonly kind: 'back'; readonly times: number }
  | { readonly kind: 'itself' };

/** Where the source of a job was. */
export interface AwayFolder {
  readonly home: string;
  /** Of its files; null where that can't be told. */
  readonly device: string | null;
  /** One that is looked for where the folder is there on another device; null where none is known. */
  readonly file: string | null;
}

const maxFlickers = 3;
const itself: SourceVerdict = { kind: 'itself' };

/** Where several could not be read, the first stands for all. */
function firstPath(subject: Subject | undefined): string | null {
  const first = typeof subject === 'object' && 'names' in subject ? subject.names[0] : subject;
  return typeof first === 'string' ? first : null;
}

/** Judges by what is there now. Throws the signal's reason when it aborts. */
export async function judgeSource(
  error: TileliftError,
  record: JobRecord,
  { journal, looks }: { readonly journal: Journal; readonly looks: FolderLooks },
  signal: AbortSignal,
): Promise<SourceVerdict> {
  const subject = firstPath(error.subject);
  if (!sourceCodes.has(error.code) || subject === null) return itself;
  const home = homeOf(record, subject);
  if (home === null) return itself;
  const file = await fileAt(journal, record.id, subject, signal);
  const device = deviceOf(file);
  const look = await looks.at(home, signal);
  const away = { kind: 'away', home, device, file: file?.path ?? null } as const;
  if (look.kind === 'away') return away;
  // What was looked for is not one file but all of them: another look tells.
  if (!file) return { kind: 'back', times: 1 };
  const state = await stateOf(file, signal);
  // A drive that gave no byte for long, and tells names and sizes anyway, has not been away.
  if (state === 'same')
    return error.code === 'source-stalled' ? itself : { kind: 'back', times: maxFlickers };
  // The folder that a drive was mounted on is there without it.
  const isOtherDevice = device !== null && look.device !== device;
  return state !== 'changed' && isOtherDevice ? away : itself;
}

/** `missing`: it can't be asked. Also what was changed back to its size and time has changed. */
async function stateOf(file: TransferFile, signal: AbortSignal): Promise<'same' | 'changed' | 'missing'> {
  try {
    const found = await withoutStall(lstat(file.path), file.path, patienceMs, signal);
    const isSame =
      found.isFile() &&
      found.size === file.size &&
      found.mtimeMs === file.mtimeMs &&
      (file.identity === undefined || found.ctimeMs === file.identity.ctimeMs);
    return isSame ? 'same' : 'changed';
  } catch {
    signal.throwIfAborted();
    return 'missing';
  }
}

/** Null where the file system has none that lasts. */
function deviceOf(file: TransferFile | undefined): string | null {
  return file?.identity?.fileId?.split(':')[0] ?? null;
}

/** Page by page, so that 100,000 files hold up nobody. */
async function fileAt(
  journal: Journal,
  jobId: string,
  path: string,
  signal: AbortSignal,
): Promise<TransferFile | undefined> {
  let after: number | undefined;
  for (;;) {
    const page = journal.unfinishedFiles(jobId, after);
    const file = page.find((one) => one.path === path);
    if (file || page.length === 0) return file;
    after = page.at(-1)?.id;
    await setImmediate();
    signal.throwIfAborted();
  }
}

/**
 * The source's folder is back: on its own device, or with its file under whatever name the device has now.
 */
export async function isBack(
  { home, device, file }: AwayFolder,
  looks: FolderLooks,
  signal: AbortSignal,
): Promise<boolean> {
  const look = await looks.at(home, signal);
  if (look.kind === 'away') return false;
  if (device === null || file === null || look.device === device) return true;
  return withoutStall(lstat(file), file, patienceMs, signal).then(
    () => true,
    () => false,
  );
}

/** Why a job waits for its source. */
export function sourceAway(home: string): TileliftError {
  return new TileliftError('source-away', { subject: home });
}

/**
 * The folder whose absence means that a file was not taken out of its source but went with its drive: the
 * watched folder, or what a person has dropped (of a file alone: the folder that it is in). Null where the
 * path belongs to none. Pure.
 *
 * @param path absolute, of a source file, or what an error is about
 */
export function homeOf({ paths, exactly }: Pick<NewJob, 'paths' | 'exactly'>, path: string): string | null {
  if (exactly) return exactly.home ?? exactly.keysFrom;
  for (const dropped of paths) {
    if (path === dropped) return dirname(dropped);
    if (path.startsWith(dropped.endsWith(sep) ? dropped : `${dropped}${sep}`)) return dropped;
  }
  return null;
}
