import { z } from 'zod';
import type { Enumeration, Figure, Phrase, PhraseValue } from '../../strings/phrase.ts';
import { isKey, type Key } from '../../strings/say.ts';

/** Sentences as they were written down, by key and values, read again: a disk may give back anything. */

const figure: z.ZodType<Figure> = z.union([
  z.object({ bytes: z.number() }),
  z.object({ time: z.number() }),
  z.object({ duration: z.number() }),
  z.object({ bytesPerSecond: z.number() }),
  z.object({ filesPerSecond: z.number() }),
]);

const value: z.ZodType<PhraseValue> = z.lazy(() =>
  z.union([z.string(), z.number(), figure, enumeration, phraseRecord]),
);

export const enumeration: z.ZodType<Enumeration> = z.union([
  z.object({ list: z.array(value) }),
  z.object({ names: z.array(value), more: z.number().exactOptional() }),
]);

/** A key that the catalogue has no more is refused. */
export const phraseRecord: z.ZodType<Phrase> = z.object({
  key: z.custom<Key>(isKey),
  values: z.record(z.string(), value).exactOptional(),
});

/** Words, or what they were made of. */
export const saidRecord = z.union([z.string(), phraseRecord]);
