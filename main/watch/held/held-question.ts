import type { HoldReason } from './hold-reason.ts';

/** One question about many held sources. */
export interface HeldQuestion {
  readonly why: HoldReason;
  readonly count: number;
}

/** What a person can answer to it. */
export const heldAnswers = ['leave-all', 'make-all', 'one-by-one'] as const;
export type HeldAnswer = (typeof heldAnswers)[number];
