import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { TileliftError } from '../../errors.ts';
import { pathBelow } from '../../files/paths.ts';
import { writeWhole } from '../../whole-file.ts';
import { batchNumber } from '../model/batch-path.ts';
import type { LedgerEntry, Receipt } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import {
  carefully,
  entryAt,
  type HeldFolder,
  holdFolder,
  type MadeFolder,
} from '../scan/folder/held-folder.ts';
import { holdTarget } from './move-target.ts';
import { errorText } from './receipt-export.ts';

/** Every scan excludes this extension for any rule (`source/left-out/never-data.ts`). */
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
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  const { takenAt, uploadedAt, endedAt, ...facts } = receipt;
  const times = { takenAt: time(takenAt), uploadedAt: time(uploadedAt), endedAt: time(endedAt) };
  return `${JSON.stringify({ tilelift: 'receipt', ...facts, ...times, error: errorText(receipt) }, null, 2)}\n`;
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
    await writeWhole(heldFolder.entryPath(name), text, {
      mode: 0o644,
      beside: temporaryPath,
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
  const file = await open(parentFolder.entryPath(name), constants.O_RDONLY | carefully);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(mark.length), 0, mark.length, 0);
    if (buffer.toString('utf8', 0, bytesRead) !== mark)
      throw new Error('another file has the name of the receipt');
  } finally {
    await file.close();
  }
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= maxNameLength) return name;
  const sum = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.slice(0, 40)}…${sum}`;
}
