import { lstat } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Subject } from '../../../strings/said-error.ts';
import { type ErrorCode, TileliftError } from '../../errors.ts';
import { withoutStall } from '../../files/stalled-read.ts';
import type { TransferFile } from '../../transfer/transfer-model.ts';
import type { JobRecord, Journal } from '../journal/journal-model.ts';
import type { NewJob } from '../model.ts';
import type { FolderChecks } from './folder-checks.ts';

/** An absent drive also causes these errors. */
const sourceCodes: ReadonlySet<ErrorCode> = new Set([
  'source-missing',
  'source-empty',
  'source-unreadable',
  'source-stalled',
  'source-changed',
]);
const patienceMs = 5_000;

/**
 * The cause of an upload step's error:
 * - `away`: the source's drive is absent and may return.
 * - `back`: it was briefly absent, and the file is unchanged.
 * - `itself`: a real problem of the source, or another error.
 */
type SourceVerdict =
  | ({ readonly kind: 'away' } & AwayFolder)
  /** `times`: retries without progress. */
  | { readonly kind: 'back'; readonly times: number }
  | { readonly kind: 'itself' };

/** The location of an absent source. */
export interface AwayFolder {
  readonly home: string;
  readonly device: string | null;
  /** Checked if the folder is on another device. */
  readonly file: string | null;
}

const maxFlickers = 3;
const ownFault: SourceVerdict = { kind: 'itself' };

/** The first unreadable file represents all. */
function firstPath(subject: Subject | undefined): string | null {
  const firstSubject = typeof subject === 'object' && 'names' in subject ? subject.names[0] : subject;
  return typeof firstSubject === 'string' ? firstSubject : null;
}

/** Throws the signal's reason when it aborts. */
export async function judgeSource(
  error: TileliftError,
  record: JobRecord,
  { journal, folderChecks }: { readonly journal: Journal; readonly folderChecks: FolderChecks },
  signal: AbortSignal,
): Promise<SourceVerdict> {
  const subject = firstPath(error.subject);
  if (!sourceCodes.has(error.code) || subject === null) return ownFault;
  const home = homeOf(record, subject);
  if (home === null) return ownFault;
  const file = await fileAt(journal, record.id, subject, signal);
  const device = deviceOf(file);
  const folderCheck = await folderChecks.check(home, signal);
  const awayFolder = { kind: 'away', home, device, file: file?.path ?? null } as const;
  if (folderCheck.kind === 'away') return awayFolder;
  // The error concerns all files, so they are checked again.
  if (!file) return { kind: 'back', times: 1 };
  const state = await stateOf(file, signal);
  // A stalled drive that still reports names and sizes wasn't away.
  if (state === 'same')
    return error.code === 'source-stalled' ? ownFault : { kind: 'back', times: maxFlickers };
  // An unmounted drive leaves its mount point behind.
  const isOtherDevice = device !== null && folderCheck.device !== device;
  return state !== 'changed' && isOtherDevice ? awayFolder : ownFault;
}

/** Restored size and time still count as changed. */
async function stateOf(file: TransferFile, signal: AbortSignal): Promise<'same' | 'changed' | 'missing'> {
  try {
    const stats = await withoutStall(lstat(file.path), file.path, patienceMs, signal);
    const isSame =
      stats.isFile() &&
      stats.size === file.size &&
      stats.mtimeMs === file.mtimeMs &&
      (file.identity === undefined || stats.ctimeMs === file.identity.ctimeMs);
    return isSame ? 'same' : 'changed';
  } catch {
    signal.throwIfAborted();
    return 'missing';
  }
}

function deviceOf(file: TransferFile | undefined): string | null {
  return file?.identity?.fileId?.split(':')[0] ?? null;
}

/** Yields between pages. */
async function fileAt(
  journal: Journal,
  jobId: string,
  path: string,
  signal: AbortSignal,
): Promise<TransferFile | undefined> {
  let lastId: number | undefined;
  for (;;) {
    const page = journal.unfinishedFiles(jobId, lastId);
    const file = page.find((candidate) => candidate.path === path);
    if (file || page.length === 0) return file;
    lastId = page.at(-1)?.id;
    await setImmediate();
    signal.throwIfAborted();
  }
}

/** The folder is on its device again, or its file exists on another one. */
export async function isBack(
  { home, device, file }: AwayFolder,
  folderChecks: FolderChecks,
  signal: AbortSignal,
): Promise<boolean> {
  const folderCheck = await folderChecks.check(home, signal);
  if (folderCheck.kind === 'away') return false;
  if (device === null || file === null || folderCheck.device === device) return true;
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
 * The folder whose absence means an absent drive instead of deleted files. Null if the path belongs to none.
 * Pure.
 *
 * @param path absolute, of a source file or an error's subject
 */
export function homeOf(
  { paths, exactly: exactSource }: Pick<NewJob, 'paths' | 'exactly'>,
  path: string,
): string | null {
  if (exactSource) return exactSource.home ?? exactSource.keysFrom;
  for (const droppedPath of paths) {
    if (path === droppedPath) return dirname(droppedPath);
    if (path.startsWith(droppedPath.endsWith(sep) ? droppedPath : `${droppedPath}${sep}`)) return droppedPath;
  }
  return null;
}
