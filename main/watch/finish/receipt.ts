import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { inEnglish } from '../../../strings/sayer.ts';
import { writeFileAtomic } from '../../atomic-file.ts';
import { errorWithRemote, TileliftError } from '../../errors.ts';
import { carefully, entryAt, type HeldFolder, holdFolder, type MadeFolder } from '../../files/held-folder.ts';
import { holdTarget } from '../../files/move-entry.ts';
import { pathBelow } from '../../files/paths.ts';
import type { JobSnapshot, SentFile } from '../../jobs/model.ts';
import { createPause } from '../../work-line.ts';
import type { LedgerEntry, Receipt, ReceiptFile } from '../model/model.ts';
import { type NotedInspection, notInspected } from '../model/noted-findings.ts';
import type { WatchRule } from '../model/rule.ts';
import { batchNumber } from '../model/source-names.ts';

/** Creates a receipt. `service`: API address of the job's account, or null; `files`: read lazily. */
export async function makeReceipt(
  rule: Pick<WatchRule, 'id' | 'name'>,
  entry: Pick<LedgerEntry, 'path' | 'takenAt' | 'endedAt'>,
  job: JobSnapshot,
  service: string | null,
  files: Iterable<SentFile>,
  inspection: NotedInspection,
): Promise<Receipt> {
  const sentFiles: ReceiptFile[] = [];
  const pause = createPause();
  for (const file of files) {
    await pause();
    sentFiles.push(fileOf(file));
  }
  return receiptOf(rule, entry, job, service, sentFiles, inspection);
}

/** Creates the receipt of an upload without a rule. `files`: read at once. */
export function receiptOfUpload(job: JobSnapshot, files: Iterable<SentFile>): Receipt {
  const entry = { path: job.paths[0] ?? '', takenAt: job.createdAt, endedAt: job.endedAt };
  return receiptOf({ id: '', name: '' }, entry, job, null, Array.from(files, fileOf), notInspected);
}

function fileOf({ key, size, etag, comparedBy, partSize }: SentFile): ReceiptFile {
  return { key, size, etag, ...(comparedBy === null ? {} : { comparedBy }), partSize };
}

function receiptOf(
  rule: Pick<WatchRule, 'id' | 'name'>,
  entry: Pick<LedgerEntry, 'path' | 'takenAt' | 'endedAt'>,
  job: JobSnapshot,
  service: string | null,
  files: readonly ReceiptFile[],
  { findings, degrees }: NotedInspection,
): Receipt {
  return {
    ruleId: rule.id,
    ruleName: rule.name,
    source: entry.path,
    accountId: job.accountId,
    ...(service === null ? {} : { service }),
    assetId: job.assetId,
    assetName: job.name,
    assetType: job.assetType,
    takenAt: entry.takenAt,
    uploadedAt: job.uploadedAt,
    endedAt: job.endedAt ?? entry.endedAt ?? entry.takenAt,
    outcome: job.status,
    error: job.status === 'complete' ? null : job.error,
    ...(job.links ? { links: job.links } : {}),
    ...(findings.length > 0 ? { findings } : {}),
    ...(degrees.length > 0 ? { degrees } : {}),
    files,
  };
}

/** As in JSON: times in UTC, the error in English. */
export function receiptFacts(receipt: Receipt) {
  const { takenAt, uploadedAt, endedAt } = receipt;
  return {
    ...receipt,
    error: errorText(receipt),
    takenAt: timeOf(takenAt),
    uploadedAt: timeOf(uploadedAt),
    endedAt: timeOf(endedAt),
  };
}

/** Words an error in English, independent of the UI language. */
export function errorText({ error }: Pick<Receipt, 'error'>): string | null {
  return error === null ? null : inEnglish.sayPhrase(errorWithRemote(error));
}

/** Formats a time in ISO 8601, UTC. */
export function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** Every scan excludes this extension for any rule (`files/left-out/never-data.ts`). */
const receiptExtension = '.tilelift.json';
/** File systems allow 255 bytes. */
const maxNameLength = 180;
/** Every receipt begins like this, so that only receipts are replaced. */
const mark = '{\n  "tilelift": "receipt"';

interface ReceiptPlace {
  readonly folder: string;
  readonly name: string;
}

/** The current absolute path of a source; for a batch, its folder. */
export function pathOfSource(
  rule: Pick<WatchRule, 'folder'>,
  { path, movedTo }: Pick<LedgerEntry, 'path' | 'movedTo'>,
): string {
  const isSpread = path === '.' || batchNumber(path) !== null;
  return movedTo ?? (isSpread ? rule.folder : join(rule.folder, path));
}

/** Returns null if the rule writes no receipts. Pure. */
export function receiptPlace(
  rule: Pick<WatchRule, 'folder' | 'receiptFile'>,
  entry: Pick<LedgerEntry, 'path' | 'movedTo'>,
  jobId: string,
): ReceiptPlace | null {
  const { receiptFile } = rule;
  if (receiptFile.kind === 'none') return null;
  const source = pathOfSource(rule, entry);
  const isBatch = batchNumber(entry.path) !== null;
  const name = shortened(basename(isBatch ? entry.path : source));
  if (receiptFile.kind === 'folder')
    // Sources may share a name, and a source may have several receipts.
    return {
      folder: resolve(rule.folder, receiptFile.folder),
      name: `${name}.${jobId.slice(0, 8)}${receiptExtension}`,
    };
  const isAround = isBatch || (entry.path === '.' && entry.movedTo === null);
  return { folder: isAround ? source : dirname(source), name: `${name}${receiptExtension}` };
}

/** Formats JSON with times in ISO 8601, UTC. */
export function receiptText(receipt: Receipt): string {
  return `${JSON.stringify({ tilelift: 'receipt', ...receiptFacts(receipt) }, null, 2)}\n`;
}

/**
 * Writes a receipt atomically; replaces earlier receipts and links, but no other file. Follows no link below
 * the watched folder. Creates a missing receipts folder, but never the data's own one, whose absence means
 * that the data are gone.
 *
 * @throws TileliftError `receipt-not-written`
 */
export async function writeReceipt(
  rule: Pick<WatchRule, 'folder' | 'receiptFile'>,
  { folder, name }: ReceiptPlace,
  text: string,
): Promise<void> {
  const path = join(folder, name);
  try {
    await using heldFolder = await hold(rule, folder);
    await refuseForeign(heldFolder, name);
    const temporaryPath = heldFolder.entryPath(`.${randomUUID()}${receiptExtension}`);
    await writeFileAtomic(heldFolder.entryPath(name), text, {
      mode: 0o644,
      temporaryPath,
      check: () => heldFolder.check(),
    });
  } catch (cause) {
    if (cause instanceof TileliftError) throw cause;
    throw new TileliftError('receipt-not-written', { subject: path, cause });
  }
}

function hold(
  { folder: watched, receiptFile }: Pick<WatchRule, 'folder' | 'receiptFile'>,
  folder: string,
): Promise<HeldFolder> {
  if (receiptFile.kind === 'folder') {
    const madeFolders: MadeFolder[] = [];
    return holdTarget(watched, folder, [], madeFolders);
  }
  const relativePath = pathBelow(watched, folder);
  if (relativePath === null) return holdFolder(folder, []);
  return holdFolder(watched, relativePath === '' ? [] : relativePath.split('/'));
}

async function refuseForeign(parentFolder: HeldFolder, name: string): Promise<void> {
  const stats = await entryAt(parentFolder, name);
  if (!stats || stats.isSymbolicLink()) return;
  if (!stats.isFile()) throw new Error('something else has the name of the receipt');
  await using file = await open(parentFolder.entryPath(name), constants.O_RDONLY | carefully);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(mark.length), 0, mark.length, 0);
  if (buffer.toString('utf8', 0, bytesRead) !== mark)
    throw new Error('another file has the name of the receipt');
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= maxNameLength) return name;
  const sum = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.slice(0, 40)}…${sum}`;
}
