import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../../service/parse-json.ts';
import type { ClaimOwner } from '../claims/claim-model.ts';

/**
 * A place in which it is kept how old this computer's journal was when it last took something: how many sources it had taken by then. A journal that has taken fewer than
 * a place says was put back from a backup. What lies there is data: all that it can do is to have a person asked.
 */
export interface AgePlace {
  /** Null where nothing was kept, or it makes no sense. Throws the system's own errors. */
  read(): Promise<number | null>;
  /** In one go: a kill leaves what was there before. Throws the system's own errors. */
  write(sources: number): Promise<void>;
}

/** Bytes; an age needs less than 100. */
export const largestAge = 1_000;

const ageSchema = z.object({ version: z.literal(1), sources: z.number().int().nonnegative() });

export const ageText = (sources: number) => JSON.stringify({ version: 1, sources });

export function ageIn(text: string): number | null {
  return ageSchema.safeParse(parseJson(text)).data?.sources ?? null;
}

/** One for each computer and place of the user's data, so that a copy of them elsewhere neither finds nor changes it. */
export function ageFileName({ instance, machine }: ClaimOwner): string {
  const hash = createHash('sha256').update(`age\0${instance}\0${machine ?? ''}`);
  return `${hash.digest('hex').slice(0, 32)}.json`;
}
