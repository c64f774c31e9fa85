import { z } from 'zod';

/** What a rule wants to be told of, and where its receipts go. */

/** Off unless a person wants it: what failed is shown by the desktop in any case, as ever. */
export const alertWishesSchema = z.object({
  /** A source has failed, and nothing more is tried by itself. */
  failed: z.boolean().default(false),
  /** A source has been waiting for longer than this, hours. */
  waitingHours: z.number().int().min(1).max(8_760).nullable().default(null),
  /** Nothing has come for this long, days. */
  silentDays: z.number().int().min(1).max(3_650).nullable().default(null),
  /** Nobody is signed in with the rule's account. */
  signedOut: z.boolean().default(false),
});

export type AlertWishes = z.infer<typeof alertWishesSchema>;

export const noAlerts: AlertWishes = {
  failed: false,
  waitingHours: null,
  silentDays: null,
  signedOut: false,
};

/** Whether a receipt is also written as a file. */
export const receiptFileSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  /** Beside the data, wherever they lie after their end. */
  z.object({ kind: z.literal('beside') }),
  /** Absolute, or relative to the watched folder. Made when missing. */
  z.object({ kind: z.literal('folder'), folder: z.string().min(1).max(4_000) }),
]);

export type ReceiptFile = z.infer<typeof receiptFileSchema>;
