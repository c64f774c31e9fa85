import { formatBytes } from '../../strings/format/bytes.ts';
import { formatDuration } from '../../strings/format/time.ts';
import { say } from '../../strings/say.ts';
import { type ErrorRecord, saidError } from '../errors.ts';
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
    case 'confirmed':
    case 'paused':
    case 'resumed':
    case 'cancelled':
      return say(`history.${event.kind}`);
    case 'scanned':
      return say('history.scanned', { amount: amount(event) });
    case 'confirmation-asked':
      return say('history.confirmationAsked', { why: saidError(event.error).message });
    case 'create-requested':
    case 'create-settled':
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

function uploadedWords(at: number, before: readonly JobEvent[]): string {
  const scanned = before.findLast((event) => event.kind === 'scanned');
  const created = before.findLast((event) => event.kind === 'asset-created');
  const what = scanned ? amount(scanned) : say('history.everything');
  return created
    ? say('history.uploadedIn', { what, time: formatDuration(at - created.at) })
    : say('history.uploaded', { what });
}

/** How far an expired upload came; nothing where a journal of an earlier version does not say. */
function arrivedWords(
  event: { readonly bytesDone?: number | undefined },
  before: readonly JobEvent[],
): string {
  const scanned = before.findLast((one) => one.kind === 'scanned');
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
