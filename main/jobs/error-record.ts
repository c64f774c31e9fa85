import { z } from 'zod';
import { errorTable } from '../error-table.ts';
import type { ErrorCode, ErrorRecord, RemoteWords } from '../errors.ts';
import { enumeration, phraseRecord } from './phrase-record.ts';

/** Codes of a later version read as `internal`: its words would be missing here. */
const errorCode = z.enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]]).catch('internal');

/** An error as it was written down, read again. `message` is only in those of versions that kept words; nothing needs their advice. */
export const errorRecord: z.ZodType<ErrorRecord> = z.object({
  code: errorCode,
  subject: z.union([z.string(), enumeration, phraseRecord]).exactOptional(),
  field: z.string().exactOptional(),
  message: z.string().exactOptional(),
  retryable: z.boolean(),
  remote: z.custom<RemoteWords>((value) => typeof value === 'object' && value !== null).exactOptional(),
});
