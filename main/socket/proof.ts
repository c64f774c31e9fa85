import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Different texts, so that a proof can't be reflected. */
export type ProofSide = 'running' | 'command';

/** 256 bits each in hex: a proof is valid for one connection. */
export interface Nonces {
  readonly running: string;
  readonly command: string;
}

export const makeNonce = (): string => randomBytes(32).toString('hex');

/** HMAC-SHA-256 in hex; the key is never sent. Pure. */
export function proofOf(side: ProofSide, key: string, { running, command }: Nonces): string {
  return createHmac('sha256', key).update(`tilelift ${side}\n${running}\n${command}`).digest('hex');
}

/** Compares proofs in constant time. */
export function isProof(receivedProof: string, proof: string): boolean {
  const [a, b] = [Buffer.from(receivedProof), Buffer.from(proof)];
  return a.length === b.length && timingSafeEqual(a, b);
}
