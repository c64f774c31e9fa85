import type { JobEvent } from './events.ts';
import type { HistoryEntry } from './model.ts';

/** What happened to a job, a line for each event worth one. Pure. */
export function historyOf(events: readonly JobEvent[]): readonly HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  for (const [index, event] of events.entries()) {
    const text = wordsFor(event, events.slice(0, index));
    if (text) entries.push({ at: event.at, text });
  }
  return entries;
}

/** Null where an event is of no interest to a person. */
function wordsFor(event: JobEvent, before: readonly JobEvent[]): string | null {
  switch (event.kind) {
    case 'started':
      return 'Started';
    case 'scanned':
      return `Found ${amount(event)}`;
    case 'confirmation-asked':
      return `${event.error.message} Waiting for your word`;
    case 'confirmed':
      return 'You chose to upload it anyway';
    case 'create-requested':
    case 'create-settled':
      return null;
    case 'orphan-left':
      return `Asset ${event.assetId} was left behind without files: the service made it, but its answer was lost`;
    case 'asset-created':
      return `Asset ${event.assetId} created`;
    case 'upload-finished':
      return uploadedWords(event.at, before);
    case 'completion-accepted':
      return 'Tiling began';
    case 'asset-status':
      return `The service says ${event.status}`;
    case 'tiled':
      return 'Complete';
    case 'tiling-failed':
    case 'failed':
      return withRemote(event.error.message, event.error.remote?.message);
    case 'expired':
      return `${withRemote(event.error.message, event.error.remote?.message)}${arrivedWords(event, before)}`;
    case 'paused':
      return 'Paused';
    case 'resumed':
      return 'Resumed';
    case 'cancelled':
      return 'Cancelled';
    case 'tried-again':
      return 'Tried again';
    case 'troubled':
      return `${withRemote(event.error.message, event.error.remote?.message)} Trying again.`;
    case 'taken-up':
      return 'Taken up again after a restart';
    case 'resent':
      return resentWords[event.reason].replace('{path}', () => event.path);
  }
}

const resentWords = {
  'upload-gone': 'Storage no longer knows the upload of {path}: it is sent again from its beginning',
  'parts-refused': 'Storage did not accept all parts of {path}: those are sent again',
  'parts-missing': 'Storage lacks parts of {path} that it had confirmed: those are sent again',
} as const;

function uploadedWords(at: number, before: readonly JobEvent[]): string {
  const scanned = before.findLast((event) => event.kind === 'scanned');
  const created = before.findLast((event) => event.kind === 'asset-created');
  const what = scanned ? amount(scanned) : 'everything';
  return created ? `Uploaded ${what} in ${durationWords(at - created.at)}` : `Uploaded ${what}`;
}

/** How far an expired upload came; nothing where a journal of an earlier version does not say. */
function arrivedWords(
  event: { readonly bytesDone?: number | undefined },
  before: readonly JobEvent[],
): string {
  const scanned = before.findLast((one) => one.kind === 'scanned');
  if (event.bytesDone === undefined || !scanned) return '';
  return ` ${sizeWords(event.bytesDone)} of ${sizeWords(scanned.bytes)} had arrived.`;
}

function amount({ files, bytes }: { readonly files: number; readonly bytes: number }): string {
  return `${files} ${files === 1 ? 'file' : 'files'}, ${sizeWords(bytes)}`;
}

function withRemote(message: string, remote: string | undefined): string {
  return remote ? `${message} (${remote})` : message;
}

const sizeUnits = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** Decimal units, as file managers show them: "812 bytes", "2.1 GB". */
export function sizeWords(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < sizeUnits.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.5 ? 0 : 1;
  return `${value.toFixed(digits)} ${sizeUnits[unit]}`;
}

/** "8 s", "3 min 10 s", "1 h 2 min". */
export function durationWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds} s`;
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
