import type { Receipt, ReceiptFile } from '../model/model.ts';
import { errorText, receiptFacts, timeOf } from './receipt.ts';

/** Lazy export of receipts. Times are ISO 8601 in UTC, sizes are bytes. */

type Field = string | number | null;
type Column = readonly [title: string, read: (receipt: Receipt, file: ReceiptFile | undefined) => Field];

const columns: readonly Column[] = [
  ['rule', ({ ruleName }) => ruleName],
  ['source', ({ source }) => source],
  ['outcome', ({ outcome }) => outcome],
  ['error', errorText],
  ['asset id', ({ assetId }) => assetId],
  ['asset name', ({ assetName }) => assetName],
  ['asset type', ({ assetType }) => assetType],
  ['taken', ({ takenAt }) => timeOf(takenAt)],
  ['uploaded', ({ uploadedAt }) => timeOf(uploadedAt)],
  ['ended', ({ endedAt }) => timeOf(endedAt)],
  ['file', (_, file) => file?.key ?? null],
  ['bytes', (_, file) => file?.size ?? null],
  ['etag', (_, file) => file?.etag ?? null],
  ['part bytes', (_, file) => file?.partSize ?? null],
  ['links not followed', ({ links }) => links ?? 0],
  ['findings', ({ findings }) => findings?.map(({ id, count }) => `${id} (${count})`).join('; ') ?? null],
  [
    'degrees',
    ({ degrees }) => degrees?.map(({ degree, count }) => `${degree} (${count})`).join('; ') ?? null,
  ],
  ['compared by', (_, file) => file?.comparedBy ?? null],
  ['service', ({ service }) => service ?? null],
  ['account id', ({ accountId }) => accountId ?? null],
];

/** Writes CSV (RFC 4180): a line for each file, or one without a file if the source ended before its scan. */
export function* receiptsToCsv(receipts: Iterable<Receipt>): Iterable<string> {
  yield csvLine(columns.map(([title]) => title));
  for (const receipt of receipts)
    for (const file of receipt.files.length > 0 ? receipt.files : [undefined])
      yield csvLine(columns.map(([, read]) => read(receipt, file)));
}

/** Writes one JSON array. */
export function* receiptsToJson(receipts: Iterable<Receipt>): Iterable<string> {
  let separator = '[\n';
  for (const receipt of receipts) {
    yield separator;
    yield JSON.stringify(receiptFacts(receipt));
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
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
