import { z } from 'zod';
import { errorTable } from '../error-table.ts';
import type { ErrorCode, ErrorRecord, RemoteWords } from '../errors.ts';

/** Codes of a later version read as `internal`: its words would be missing here. */
const errorCode = z.enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]]).catch('internal');

/** An error as it was written down, read again. */
export const errorRecord = z
  .object({
    code: errorCode,
    subject: z.string().optional(),
    message: z.string(),
    advice: z.string(),
    retryable: z.boolean(),
    remote: z.custom<RemoteWords>((value) => typeof value === 'object' && value !== null).optional(),
  })
  .transform(
    ({ subject, remote, ...rest }): ErrorRecord => ({
      ...rest,
      ...(subject === undefined ? {} : { subject }),
      ...(remote ? { remote } : {}),
    }),
  );
