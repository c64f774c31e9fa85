import type { Phrase, PhraseValue, Said } from '../../strings/phrase.ts';
import { errorPhrase } from '../../strings/said-error.ts';
import { errorWithRemote } from '../errors.ts';
import type { JobEvent } from './events.ts';
import type { HistoryEntry } from './model.ts';

type EventOf<Kind extends JobEvent['kind']> = Extract<JobEvent, { kind: Kind }>;

/** How often the service is asked how far tiling is (contract part 8). */
const pollSeconds = 10;

/** What later events are told by. */
interface Before {
  scanned: EventOf<'scanned'> | null;
  created: EventOf<'asset-created'> | null;
  accepted: EventOf<'completion-accepted'> | null;
}

/**
 * What happened to a job, an entry for each event worth one, and one for each time of trouble. Pure; each
 * event is looked at once.
 */
export function historyOf(events: readonly JobEvent[]): readonly HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  const before: Before = { scanned: null, created: null, accepted: null };
  /** The time of trouble that has no end yet, and where its entry is. */
  let open: { readonly entry: number; readonly began: EventOf<'troubled'> } | null = null;
  let previous: JobEvent | null = null;
  for (const event of events) {
    if (event.kind === 'scanned') before.scanned = event;
    else if (event.kind === 'asset-created') before.created = event;
    else if (event.kind === 'completion-accepted') before.accepted = event;
    if (event.kind === 'recovered' && open) {
      entries[open.entry] = { at: open.began.at, said: [troubledFor(open.began, event.endedAt)] };
      open = null;
    } else if (!isSameTrouble(event, previous)) {
      if (event.kind === 'troubled') open = { entry: entries.length, began: event };
      const said = saidOf(event, before);
      if (said) entries.push({ at: event.at, said });
      if (event.kind === 'scanned') {
        for (const phrase of changesIn(event)) entries.push({ at: event.at, said: [phrase] });
      }
    }
    previous = event;
  }
  return entries;
}

/** A drive that comes and goes is one trouble, not an entry for each time. */
function isSameTrouble(event: JobEvent, previous: JobEvent | null): boolean {
  return (
    event.kind === 'troubled' && previous?.kind === 'troubled' && event.error.code === previous.error.code
  );
}

function troubledFor({ at, error }: EventOf<'troubled'>, endedAt: number): Phrase {
  const values = { why: errorWithRemote(error), time: { duration: endedAt - at } };
  return { key: 'history.troubledFor', values };
}

/** Null where an event is of no interest to a person. */
function saidOf(event: JobEvent, before: Before): readonly Said[] | null {
  switch (event.kind) {
    case 'started':
    case 'confirmed':
    case 'paused':
    case 'resumed':
    case 'cancelled':
      return [{ key: `history.${event.kind}` }];
    case 'scanned':
      return [scannedPhrase(event)];
    case 'confirmation-asked':
      return [{ key: 'history.confirmationAsked', values: { why: errorPhrase(event.error) } }];
    case 'create-requested':
    case 'create-settled':
    case 'recovered':
      return null;
    case 'orphan-left':
      return [{ key: 'history.orphanLeft', values: { id: String(event.assetId) } }];
    case 'asset-created':
      return [{ key: 'history.assetCreated', values: { id: String(event.assetId) } }];
    case 'upload-finished':
      return [uploadedPhrase(event.at, before)];
    case 'completion-accepted':
      return [{ key: 'history.tilingBegan' }];
    case 'asset-status':
      return tilingSaid(event);
    case 'tiled':
      return [tiledPhrase(event.at, before)];
    case 'tiling-failed':
    case 'failed':
      return [errorWithRemote(event.error)];
    case 'expired':
      return [errorWithRemote(event.error), ...arrived(event, before)];
    case 'tried-again':
      return [{ key: 'history.triedAgain' }];
    case 'troubled':
      return [{ key: 'history.troubled', values: { why: errorWithRemote(event.error) } }];
    case 'taken-up':
      return [{ key: 'history.takenUp' }];
    case 'resent':
      return [{ key: `history.resent.${event.reason}`, values: { path: event.path } }];
  }
}

function scannedPhrase(event: EventOf<'scanned'>): Phrase {
  const values = { amount: amount(event) };
  return event.links
    ? { key: 'history.scannedWithLinks', values: { ...values, links: event.links } }
    : { key: 'history.scanned', values };
}

/** What the person wanted to be otherwise than it lies on the disk. */
function changesIn({ leftOut = 0, added = 0, takenAlong = 0 }: EventOf<'scanned'>): readonly Phrase[] {
  return [
    ...(leftOut > 0 ? [{ key: 'history.leftOut' as const, values: { count: leftOut } }] : []),
    ...(takenAlong > 0 ? [{ key: 'history.takenAlong' as const, values: { count: takenAlong } }] : []),
    ...(added > 0 ? [{ key: 'history.added' as const, values: { count: added } }] : []),
  ];
}

function uploadedPhrase(at: number, { scanned, created }: Before): Phrase {
  const what: PhraseValue = scanned ? amount(scanned) : { key: 'history.everything' };
  return created
    ? { key: 'history.uploadedIn', values: { what, time: atLeast(1, at - created.at) } }
    : { key: 'history.uploaded', values: { what } };
}

/** How far tiling is, with the service's own words. */
function tilingSaid({ status, percent, message }: EventOf<'asset-status'>): readonly Said[] {
  const known: Phrase =
    percent === undefined || percent < 1
      ? { key: 'history.serviceSays', values: { status } }
      : { key: 'history.serviceSaysAt', values: { status, percent: Math.floor(percent) } };
  return [message === undefined ? known : { key: 'history.inItsWords', values: { known, message } }];
}

function tiledPhrase(at: number, { accepted }: Before): Phrase {
  if (!accepted) return { key: 'history.complete' };
  // Seen by polls: that it took no longer than two of them is all that is known.
  const time = atLeast(2 * pollSeconds, at - accepted.at);
  return { key: 'history.completeIn', values: { time } };
}

/** A duration, or that it was under this many seconds. @param ms of what was measured */
function atLeast(seconds: number, ms: number): PhraseValue {
  if (ms >= seconds * 1_000) return { duration: ms };
  return { key: 'job.progress.under', values: { time: { duration: seconds * 1_000 } } };
}

/** How far an expired upload came; nothing where its event does not say. */
function arrived(
  { bytesDone }: { readonly bytesDone?: number | undefined },
  { scanned }: Before,
): readonly Phrase[] {
  if (bytesDone === undefined || !scanned) return [];
  const values = { done: { bytes: bytesDone }, total: { bytes: scanned.bytes } };
  return [{ key: 'history.arrived', values }];
}

function amount({ files, bytes }: { readonly files: number; readonly bytes: number }): Phrase {
  return { key: 'history.amount', values: { files, size: { bytes } } };
}
