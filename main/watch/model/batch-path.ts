/** The ledger path of a batch: all files that arrived together. Pure. */

const form = /^\.\/batch-([1-9]\d{0,8})$/;

/** Can't be an entry, because entries' paths never begin with a dot and a slash. */
export const batchPath = (number: number): string => `./batch-${number}`;

/** Returns null for other sources. */
export function batchNumber(path: string): number | null {
  const number = form.exec(path)?.[1];
  return number === undefined ? null : Number(number);
}
