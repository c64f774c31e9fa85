import type { Receipt } from './model.ts';

export function* receiptsToCsv(receipts: Iterable<Receipt>): Iterable<string> {
  for (const receipt of receipts) yield String(receipt.assetId);
}

export function* receiptsToJson(receipts: Iterable<Receipt>): Iterable<string> {
  for (const receipt of receipts) yield JSON.stringify(receipt);
}
