import type { JobSnapshot } from '../../main/jobs/model.ts';

const barWidth = 28;

/** Bytes as a person reads them: decimal units, three digits. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toPrecision(3)} ${units[unit]}`;
}

/** One line on where the job stands. */
function progressLine(job: JobSnapshot): string {
  if (job.status === 'uploading' && job.bytesTotal !== null) {
    const share = job.bytesTotal === 0 ? 1 : job.bytesDone / job.bytesTotal;
    const rate = job.bytesPerSecond === null ? '' : ` · ${formatBytes(job.bytesPerSecond)}/s`;
    return `Uploading ${bar(share)} ${percent(share)} · ${formatBytes(job.bytesDone)} of ${formatBytes(job.bytesTotal)}${rate}`;
  }
  if (job.status === 'tiling') {
    const share = (job.percentComplete ?? 0) / 100;
    return `Tiling    ${bar(share)} ${percent(share)} · ${job.assetStatus ?? 'asked for'}`;
  }
  return stateWords[job.status] ?? job.status;
}

const stateWords: Readonly<Record<string, string>> = {
  queued: 'Waiting for the line',
  creating: 'Creating the asset',
  completing: 'Telling the service that everything is there',
};

function bar(share: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * barWidth);
  return '█'.repeat(filled) + '░'.repeat(barWidth - filled);
}

function percent(share: number): string {
  return `${String(Math.floor(share * 100)).padStart(3)} %`;
}

/** Where lines go: overwritten in a terminal, one per tenth of the way elsewhere. */
export class ProgressPrinter {
  readonly #out: NodeJS.WriteStream;
  #lastShown = '';
  #open = false;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
  }

  show(job: JobSnapshot): void {
    const line = progressLine(job);
    if (this.#out.isTTY) {
      this.#out.write(`\r\x1b[2K${line}`);
      this.#open = true;
      return;
    }
    const coarse = `${job.status} ${Math.floor(tenths(job))}`;
    if (coarse === this.#lastShown) return;
    this.#lastShown = coarse;
    this.#out.write(`${line}\n`);
  }

  say(text: string): void {
    if (this.#open) this.#out.write('\n');
    this.#open = false;
    this.#out.write(`${text}\n`);
  }
}

function tenths(job: JobSnapshot): number {
  if (job.status === 'tiling') return (job.percentComplete ?? 0) / 10;
  return job.bytesTotal ? (job.bytesDone / job.bytesTotal) * 10 : 0;
}
