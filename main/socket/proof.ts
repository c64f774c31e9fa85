import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Each side proves itself with a different text, so that a proof can't be reflected. */
export type Side = 'running' | 'command';

/** Random numbers of both sides, 256 bits each in hex: a proof is valid for one connection. */
export interface Nonces {
  readonly running: string;
  readonly command: string;
}

export const makeNonce = (): string => randomBytes(32).toString('hex');

/** Proves knowledge of the key without sending it: HMAC-SHA-256 in hex. Pure. */
export function proofOf(side: Side, key: string, { running, command }: Nonces): string {
  return createHmac('sha256', key).update(`tilelift ${side}\n${running}\n${command}`).digest('hex');
}

/** Compares proofs in constant time. */
export function isProof(receivedProof: string, proof: string): boolean {
  const [a, b] = [Buffer.from(receivedProof), Buffer.from(proof)];
  return a.length === b.length && timingSafeEqual(a, b);
}
