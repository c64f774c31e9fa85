import { FileTransfer, type FileTransferOptions, sumSizes } from './file-transfer.ts';
import type { PoolTask } from './part-pool.ts';
import { inTransferOrder, partRange } from './plan.ts';
import { UploadLost } from './request-retry.ts';
import type { TransferFile } from './transfer-model.ts';

/** Uploads of one file that may get lost before its loss is an error. */
const mostLosses = 3;

/** The parts still to send, file by file; a file whose upload got lost comes again. */
export class TransferWork {
  readonly #waiting: TransferFile[];
  readonly #options: FileTransferOptions;
  readonly #losses = new Map<number, number>();
  #current: { readonly upload: FileTransfer; next: number } | null = null;

  constructor(files: readonly TransferFile[], options: FileTransferOptions) {
    this.#waiting = inTransferOrder(files).reverse();
    this.#options = options;
  }

  /** Null while there is nothing to send; a file that got lost may make more. */
  next(): PoolTask | null {
    const current = this.#current;
    if (current && !current.upload.lost && current.next <= current.upload.file.plan.partCount) {
      return this.#task(current.upload, current.next++);
    }
    const file = this.#waiting.pop();
    if (!file) return null;
    this.#current = { upload: new FileTransfer(file, this.#options), next: 1 };
    return this.next();
  }

  #task(upload: FileTransfer, number: number): PoolTask {
    const { size, plan } = upload.file;
    return {
      bytes: partRange(size, plan.partSize, number).length,
      run: (answered) => this.#run(upload, number, answered),
    };
  }

  async #run(upload: FileTransfer, number: number, answered: () => void): Promise<void> {
    if (upload.lost) return;
    try {
      await upload.send(number, answered);
    } catch (thrown) {
      if (!(thrown instanceof UploadLost)) throw thrown;
      if (!upload.lost) this.#beginAgain(upload, thrown);
    }
  }

  /** Parts that storage refused once may stand in the record wrongly: the first time storage is asked what it has. */
  #beginAgain(upload: FileTransfer, lost: UploadLost): void {
    const { record, progress } = this.#options;
    const { id, path } = upload.file;
    const losses = (this.#losses.get(id) ?? 0) + 1;
    if (losses >= mostLosses) throw lost.error;
    this.#losses.set(id, losses);
    upload.lost = true;
    const { state } = upload;
    if (lost.kind === 'invalid-parts' && losses === 1) {
      record.resent(path, 'parts-refused');
      this.#waiting.push(state);
      return;
    }
    record.uploadForgotten(id);
    record.resent(path, 'upload-gone');
    progress.acknowledge(-sumSizes(state.parts), -state.parts.length);
    this.#waiting.push({ ...state, uploadId: null, parts: [] });
  }
}
