import { inEnglish } from '../../../strings/sayer.ts';
import { errorWithRemote } from '../../errors.ts';
import type { Receipt, ReceiptFile } from '../model/model.ts';

/** Lazy export of receipts. Times are ISO 8601 in UTC, sizes are bytes. */

const columns = [
  'rule',
  'source',
  'outcome',
  'error',
  'asset id',
  'asset name',
  'asset type',
  'taken',
  'uploaded',
  'ended',
  'file',
  'bytes',
  'etag',
  'part bytes',
  'links not followed',
  'findings',
  'compared by',
  'service',
  'account id',
] as const;

/** Writes CSV (RFC 4180): a line for each file, or one without a file if the source ended before its scan. */
export function* receiptsToCsv(receipts: Iterable<Receipt>): Iterable<string> {
  yield csvLine(columns);
  for (const receipt of receipts) {
    const facts = [
      receipt.ruleName,
      receipt.source,
      receipt.outcome,
      errorText(receipt),
      receipt.assetId,
      receipt.assetName,
      receipt.assetType,
      timeOf(receipt.takenAt),
      timeOf(receipt.uploadedAt),
      timeOf(receipt.endedAt),
    ];
    const links = receipt.links ?? 0;
    const findings = receipt.findings?.map(({ id, count }) => `${id} (${count})`).join('; ') ?? null;
    const accountFields = [receipt.service ?? null, receipt.accountId ?? null];
    if (receipt.files.length === 0)
      yield csvLine([...facts, null, null, null, null, links, findings, null, ...accountFields]);
    for (const file of receipt.files)
      yield csvLine([...facts, ...factsOf(file), links, findings, file.comparedBy ?? null, ...accountFields]);
  }
}

/** Writes one JSON array. */
export function* receiptsToJson(receipts: Iterable<Receipt>): Iterable<string> {
  let separator = '[\n';
  for (const receipt of receipts) {
    yield separator;
    const { takenAt, uploadedAt, endedAt } = receipt;
    yield JSON.stringify({
      ...receipt,
      error: errorText(receipt),
      takenAt: timeOf(takenAt),
      uploadedAt: timeOf(uploadedAt),
      endedAt: timeOf(endedAt),
    });
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** Words an error in English, independent of the UI language. */
export function errorText({ error }: Pick<Receipt, 'error'>): string | null {
  return error === null ? null : inEnglish.sayPhrase(errorWithRemote(error));
}

type Field = string | number | null;

function factsOf({ key, size, etag, partSize }: ReceiptFile): readonly Field[] {
  return [key, size, etag, partSize];
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** Writes a CSV line (RFC 4180) with its line end, guarded against formulas. */
export function csvLine(fields: readonly Field[]): string {
  return `${fields.map(fieldOf).join(',')}\r\n`;
}

/** Finds possible formulas at every possible start of a cell. */
const formulas = /(?<=^|[;\t\r\n])(?= *[=+\-@\t\r\n＝＋－＠])/g;

/** Quotes every text, because some locales split at semicolons. An apostrophe prevents formulas. */
function fieldOf(field: Field): string {
  if (field === null) return '';
  if (typeof field === 'number') return String(field);
  return `"${field.replaceAll(formulas, "'").replaceAll('"', '""')}"`;
}
