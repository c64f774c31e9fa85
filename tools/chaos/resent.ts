import type { RecordedRequest } from '../../test/service/model.ts';

/** Faults after which the bytes have to be sent again. */
const destructive: ReadonlySet<RecordedRequest['fault']> = new Set([
  'status',
  'raw',
  'cut-request',
  'cut-answer',
  'stall',
  'corrupt-request',
]);

export interface Kill {
  /** ms since the epoch. */
  readonly at: number;
  /** Parts that might be in flight. */
  readonly lanes: number;
}

interface Resent {
  /** All that storage took in beyond what it keeps. */
  readonly bytes: number;
  /** Of them, for each kill: what it made necessary to send again. */
  readonly byKill: readonly number[];
}

/**
 * What was sent more than once. Of the requests that carried one part or file the last that succeeded is the
 * one that counts; the others were in vain. Those that storage refused, or a fault met, are the faults'
 * doing; the rest are that of the first kill after them.
 *
 * @param requests null for those that belong elsewhere
 * @param blameless requests, by index, that something other than a kill undid
 */
export function countResent(
  requests: readonly (RecordedRequest | null)[],
  kills: readonly Kill[],
  blameless: ReadonlySet<number>,
): Resent {
  const byKill = kills.map(() => 0);
  let bytes = 0;
  for (const group of bodies(requests).values()) {
    const kept = group.findLast(({ request }) => request.status === 200 && !destructive.has(request.fault));
    for (const { request, index } of group) {
      if (index === kept?.index) continue;
      bytes += request.bodyBytes;
      if (request.status >= 400 || destructive.has(request.fault) || blameless.has(index)) continue;
      const kill = kills.findIndex(({ at }) => at >= request.at);
      if (kill >= 0) byKill[kill] = (byKill[kill] ?? 0) + request.bodyBytes;
    }
  }
  return { bytes, byKill };
}

interface Indexed {
  readonly request: RecordedRequest;
  readonly index: number;
}

/** By what they carry: key, and number where it is a part; the upload id makes no difference. */
function bodies(requests: readonly (RecordedRequest | null)[]): ReadonlyMap<string, readonly Indexed[]> {
  const carrying = requests.flatMap((request, index) =>
    request?.room === 'storage' && request.method === 'PUT' ? [{ request, index }] : [],
  );
  return Map.groupBy(carrying, ({ request }) => carriedBy(request.path));
}

/** The name of what a request's body holds: path and part number. */
export function carriedBy(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://storage');
  return `${pathname} ${searchParams.get('partNumber') ?? ''}`;
}
