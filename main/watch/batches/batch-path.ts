/** By what the ledger knows a batch: everything that arrived together. Pure. */

const form = /^\.\/batch-([1-9]\d{0,8})$/;

/** No entry of a folder has such a path: theirs never begin with a dot and a slash. */
export const batchPath = (number: number): string => `./batch-${number}`;

/** Null for the path of any other source. */
export function batchNumber(path: string): number | null {
  const number = form.exec(path)?.[1];
  return number === undefined ? null : Number(number);
}
