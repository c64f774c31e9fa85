import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The two sides of a connection. Each proves itself in its own words, so that a proof can't be sent back. */
export type Side = 'running' | 'command';

/** What both sides have said, 256 random bits each in hex: a proof is good for one connection. */
export interface Nonces {
  readonly running: string;
  readonly command: string;
}

export const makeNonce = (): string => randomBytes(32).toString('hex');

/** Proves that a side knows the key, which itself is never sent: HMAC-SHA-256 in hex. Pure. */
export function proofOf(side: Side, key: string, { running, command }: Nonces): string {
  return createHmac('sha256', key).update(`tilelift ${side}\n${running}\n${command}`).digest('hex');
}

/** Whether a proof is that one, in a time that tells nothing about it. */
export function isProof(given: string, proof: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(proof)];
  return a.length === b.length && timingSafeEqual(a, b);
}
