import type { Journal } from '../../../main/jobs/journal/journal-model.ts';
import { createConfirmations } from '../../../main/jobs/steps/confirmations.ts';
import { systemClock } from '../../../main/ports.ts';
import type { TransferRecord } from '../../../main/transfer/transfer-model.ts';

/** Records a transfer in the journal, as a job does. The stand-in never requires a resend. */
export function recordIn(journal: Journal): TransferRecord {
  const confirmations = createConfirmations(journal, systemClock);
  return {
    uploadBegun: (fileId, upload) => journal.uploadBegun(fileId, upload),
    completeSent: (fileId) => journal.completeSent(fileId),
    partConfirmed: (fileId, part) => confirmations.add({ fileId, part }),
    fileConfirmed: (fileId, etag, comparedBy) => confirmations.add({ fileId, part: null, etag, comparedBy }),
    partsDropped: (fileId, numbers) => journal.dropParts(fileId, numbers),
    identityTaken: () => {},
    uploadForgotten: (fileId) => journal.forgetUpload(fileId),
    noteResent: (path, reason) => {
      throw new Error(`the stand-in lost a part: ${path}, ${reason}`);
    },
  };
}
