import { formatBytes } from '../../strings/format/bytes.ts';
import { formatDuration } from '../../strings/format/time.ts';
import { say } from '../../strings/say.ts';
import { type ErrorRecord, saidError } from '../errors.ts';
import type { JobEvent } from './events.ts';
import type { HistoryEntry } from './model.ts';

type EventOf<Kind extends JobEvent['kind']> = Extract<JobEvent, { kind: Kind }>;

/** What later events are told by. */
interface Before {
  scanned: EventOf<'scanned'> | null;
  created: EventOf<'asset-created'> | null;
}

/** What happened to a job, a line for each event worth one, and one for each time of trouble. Pure; each event is looked at once. */
export function historyOf(events: readonly JobEvent[]): readonly HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  const before: Before = { scanned: null, created: null };
  /** The time of trouble that has no end yet, and where its line is. */
  let open: { readonly line: number; readonly began: EventOf<'troubled'> } | null = null;
  let last: JobEvent | null = null;
  for (const event of events) {
    if (event.kind === 'scanned') before.scanned = event;
    else if (event.kind === 'asset-created') before.created = event;
    if (event.kind === 'recovered' && open) {
      entries[open.line] = { at: open.began.at, text: troubledFor(open.began, event.endedAt) };
      open = null;
    } else if (!isMoreOf(event, last)) {
      if (event.kind === 'troubled') open = { line: entries.length, began: event };
      const text = wordsFor(event, before);
      if (text) entries.push({ at: event.at, text });
    }
    last = event;
  }
  return entries;
}

/** Earlier versions wrote a line for every try. */
function isMoreOf(event: JobEvent, last: JobEvent | null): boolean {
  return event.kind === 'troubled' && last?.kind === 'troubled' && event.error.code === last.error.code;
}

function troubledFor({ at, error }: EventOf<'troubled'>, endedAt: number): string {
  return say('history.troubledFor', { why: withRemote(error), time: formatDuration(endedAt - at) });
}

/** Null where an event is of no interest to a person. */
function wordsFor(event: JobEvent, before: Before): string | null {
  switch (event.kind) {
    case 'started':
    case 'confirmed':
    case 'paused':
    case 'resumed':
    case 'cancelled':
      return say(`history.${event.kind}`);
    case 'scanned':
      return event.links
        ? say('history.scannedWithLinks', { amount: amount(event), links: event.links })
        : say('history.scanned', { amount: amount(event) });
    case 'confirmation-asked':
      return say('history.confirmationAsked', { why: saidError(event.error).message });
    case 'create-requested':
    case 'create-settled':
    case 'recovered':
      return null;
    case 'orphan-left':
      return say('history.orphanLeft', { id: String(event.assetId) });
    case 'asset-created':
      return say('history.assetCreated', { id: String(event.assetId) });
    case 'upload-finished':
      return uploadedWords(event.at, before);
    case 'completion-accepted':
      return say('history.tilingBegan');
    case 'asset-status':
      return say('history.serviceSays', { status: event.status });
    case 'tiled':
      return say('history.complete');
    case 'tiling-failed':
    case 'failed':
      return withRemote(event.error);
    case 'expired':
      return `${withRemote(event.error)}${arrivedWords(event, before)}`;
    case 'tried-again':
      return say('history.triedAgain');
    case 'troubled':
      return say('history.troubled', { why: withRemote(event.error) });
    case 'taken-up':
      return say('history.takenUp');
    case 'resent':
      return say(`history.resent.${event.reason}`, { path: event.path });
  }
}

function uploadedWords(at: number, { scanned, created }: Before): string {
  const what = scanned ? amount(scanned) : say('history.everything');
  return created
    ? say('history.uploadedIn', { what, time: formatDuration(at - created.at) })
    : say('history.uploaded', { what });
}

/** How far an expired upload came; nothing where a journal of an earlier version does not say. */
function arrivedWords(event: { readonly bytesDone?: number | undefined }, { scanned }: Before): string {
  if (event.bytesDone === undefined || !scanned) return '';
  const [done, total] = [formatBytes(event.bytesDone), formatBytes(scanned.bytes)];
  return ` ${say('history.arrived', { done, total })}`;
}

function amount({ files, bytes }: { readonly files: number; readonly bytes: number }): string {
  return say('history.amount', { files, size: formatBytes(bytes) });
}

function withRemote(error: ErrorRecord): string {
  const { message, remote } = saidError(error);
  return remote?.message ? `${message} (${remote.message})` : message;
}
