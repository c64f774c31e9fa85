import { statusPhrase } from '../../shared/assets.ts';
import type { Phrase, PhraseValue, Said } from '../../strings/phrase.ts';
import { errorPhrase } from '../../strings/said-error.ts';
import { errorWithRemote } from '../errors.ts';
import type { JobEvent } from './events.ts';
import type { HistoryEntry } from './model.ts';

type EventOf<Kind extends JobEvent['kind']> = Extract<JobEvent, { kind: Kind }>;

/** Polling interval (contract part 8). */
const pollSeconds = 10;

/** After these, the time since the creation includes waiting. */
const interruptions: ReadonlySet<JobEvent['kind']> = new Set([
  'paused',
  'troubled',
  'taken-up',
  'tried-again',
]);

interface EarlierEvents {
  scannedEvent: EventOf<'scanned'> | null;
  created: EventOf<'asset-created'> | null;
  acceptedEvent: EventOf<'completion-accepted'> | null;
}

/** One entry per noteworthy event and per period of trouble. Pure. */
export function historyOf(events: readonly JobEvent[]): readonly HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  const context: EarlierEvents = { scannedEvent: null, created: null, acceptedEvent: null };
  let openTrouble: { readonly entry: number; readonly beganEvent: EventOf<'troubled'> } | null = null;
  let previous: JobEvent | null = null;
  for (const event of events) {
    if (event.kind === 'scanned') context.scannedEvent = event;
    else if (event.kind === 'asset-created') context.created = event;
    else if (event.kind === 'completion-accepted') context.acceptedEvent = event;
    else if (interruptions.has(event.kind)) context.created = null;
    if (event.kind === 'recovered' && openTrouble) {
      entries[openTrouble.entry] = {
        at: openTrouble.beganEvent.at,
        said: [troubledFor(openTrouble.beganEvent, event.endedAt)],
      };
      openTrouble = null;
    } else if (!isSameTrouble(event, previous)) {
      if (event.kind === 'troubled') openTrouble = { entry: entries.length, beganEvent: event };
      const phrases = phrasesOf(event, context);
      if (phrases) entries.push({ at: event.at, said: phrases });
      if (event.kind === 'scanned') {
        for (const phrase of changesIn(event)) entries.push({ at: event.at, said: [phrase] });
      }
    }
    previous = event;
  }
  return entries;
}

/** A flickering drive is one trouble. */
function isSameTrouble(event: JobEvent, previous: JobEvent | null): boolean {
  return (
    event.kind === 'troubled' && previous?.kind === 'troubled' && event.error.code === previous.error.code
  );
}

function troubledFor({ at: beganAt, error }: EventOf<'troubled'>, endedAt: number): Phrase {
  const values = { why: errorWithRemote(error), time: { duration: endedAt - beganAt } };
  return { key: 'history.troubledFor', values };
}

function phrasesOf(event: JobEvent, context: EarlierEvents): readonly Said[] | null {
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
      return [uploadedPhrase(event.at, context)];
    case 'completion-accepted':
      return [{ key: 'history.tilingBegan' }];
    case 'asset-status':
      return tilingPhrases(event);
    case 'tiled':
      return [tiledPhrase(event.at, context)];
    case 'tiling-failed':
    case 'failed':
      return [errorWithRemote(event.error)];
    case 'expired':
      return [errorWithRemote(event.error), ...arrivedAmount(event, context)];
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

function changesIn({ leftOut = 0, added = 0, takenAlong = 0 }: EventOf<'scanned'>): readonly Phrase[] {
  return [
    ...(leftOut > 0 ? [{ key: 'history.leftOut' as const, values: { count: leftOut } }] : []),
    ...(takenAlong > 0 ? [{ key: 'history.takenAlong' as const, values: { count: takenAlong } }] : []),
    ...(added > 0 ? [{ key: 'history.added' as const, values: { count: added } }] : []),
  ];
}

function uploadedPhrase(uploadedAt: number, { scannedEvent, created }: EarlierEvents): Phrase {
  const amountPhrase: PhraseValue = scannedEvent ? amount(scannedEvent) : { key: 'history.everything' };
  return created
    ? { key: 'history.uploadedIn', values: { what: amountPhrase, time: atLeast(1, uploadedAt - created.at) } }
    : { key: 'history.uploaded', values: { what: amountPhrase } };
}

function tilingPhrases({ status, percent, message }: EventOf<'asset-status'>): readonly Said[] {
  const progress = tilingPhrase(status, Math.floor(percent ?? 0));
  return [
    message === undefined ? progress : { key: 'history.inItsWords', values: { known: progress, message } },
  ];
}

function tilingPhrase(status: string, percent: number): Phrase {
  const statusWords = statusPhrase(status);
  if (percent < 1) return statusWords ?? { key: 'history.serviceSays', values: { status } };
  if (status === 'IN_PROGRESS') return { key: 'sources.why.tilingAt', values: { percent } };
  return statusWords ?? { key: 'history.serviceSaysAt', values: { status, percent } };
}

function tiledPhrase(tiledAt: number, { acceptedEvent }: EarlierEvents): Phrase {
  if (!acceptedEvent) return { key: 'history.complete' };
  // Polling can't measure shorter times.
  const time = atLeast(2 * pollSeconds, tiledAt - acceptedEvent.at);
  return { key: 'history.completeIn', values: { time } };
}

function atLeast(seconds: number, ms: number): PhraseValue {
  if (ms >= seconds * 1_000) return { duration: ms };
  return { key: 'job.progress.under', values: { time: { duration: seconds * 1_000 } } };
}

function arrivedAmount(
  { bytesDone }: { readonly bytesDone?: number | undefined },
  { scannedEvent }: EarlierEvents,
): readonly Phrase[] {
  if (bytesDone === undefined || !scannedEvent) return [];
  const values = { done: { bytes: bytesDone }, total: { bytes: scannedEvent.bytes } };
  return [{ key: 'history.arrived', values }];
}

function amount({ files, bytes }: { readonly files: number; readonly bytes: number }): Phrase {
  return { key: 'history.amount', values: { files, size: { bytes } } };
}
