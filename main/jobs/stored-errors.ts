import { z } from 'zod';
import { errorTable } from '../../shared/errors.ts';
import type { Enumeration, Figure, Phrase, PhraseValue } from '../../strings/phrase.ts';
import { isKey, type Key } from '../../strings/say.ts';
import { inEnglish } from '../../strings/sayer.ts';
import type { ErrorCode, ErrorRecord, RemoteWords } from '../errors.ts';

/** Validates stored phrases and errors, since a disk may return anything. */

const bounds = z.object({ west: z.number(), south: z.number(), east: z.number(), north: z.number() });

const figure: z.ZodType<Figure> = z.union([
  z.object({ bytes: z.number() }),
  z.object({ time: z.number() }),
  z.object({ duration: z.number() }),
  z.object({ bytesPerSecond: z.number() }),
  z.object({ filesPerSecond: z.number() }),
  z.object({ area: z.object({ text: z.string(), bounds }) }),
]);

const value: z.ZodType<PhraseValue> = z.lazy(() =>
  z.union([z.string(), z.number(), figure, enumeration, phraseRecord]),
);

const enumeration: z.ZodType<Enumeration> = z.union([
  z.object({ list: z.array(value) }),
  z.object({ names: z.array(value), more: z.number().exactOptional() }),
]);

/** Rejects phrases whose key or values have changed. */
const phraseRecord: z.ZodType<Phrase> = z
  .object({ key: z.custom<Key>(isKey), values: z.record(z.string(), value).exactOptional() })
  .refine(canBeSaid);

function canBeSaid(phrase: Phrase): boolean {
  try {
    return inEnglish.sayPhrase(phrase) !== '';
  } catch {
    return false;
  }
}

/** Text or a phrase. */
export const saidRecord = z.union([z.string(), phraseRecord]);

/** A later version's texts are missing here. */
const errorCode = z.enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]]).catch('internal');

const subject = z.union([z.string(), enumeration, phraseRecord]).catch({ key: 'general.it' });

/** A stored error. */
export const errorRecord: z.ZodType<ErrorRecord> = z.object({
  code: errorCode,
  subject: subject.exactOptional(),
  field: z.string().exactOptional(),
  retryable: z.boolean(),
  remote: z.custom<RemoteWords>((value) => typeof value === 'object' && value !== null).exactOptional(),
});
