import type { JobView } from '../../../preload/contract.ts';
import { formatFacts, say } from '../../say.ts';

interface PartTiles {
  readonly count: number;
  /** Tiles with all parts confirmed by storage. */
  readonly done: number;
  /** Further tiles being sent or partly confirmed. */
  readonly onWire: number;
}

/**
 * A tile is full only if all its parts are confirmed, so a full map means a finished upload.
 *
 * @param limit most tiles to draw
 */
export function partTiles(
  partsDone: number,
  partsOnWire: number,
  partsTotal: number,
  limit = 240,
): PartTiles {
  if (partsTotal <= 0) return { count: 0, done: 0, onWire: 0 };
  const count = Math.min(partsTotal, limit);
  const partsPerTile = count / partsTotal;
  const doneCount = Math.min(count, Math.floor(partsDone * partsPerTile + 1e-9));
  const reachedCount = Math.min(count, Math.ceil((partsDone + partsOnWire) * partsPerTile - 1e-9));
  return { count, done: doneCount, onWire: Math.max(0, reachedCount - doneCount) };
}

type Parts = Pick<JobView, 'partsDone' | 'partsOnWire' | 'partsSentAgain'>;

/** `12 of 40 parts confirmed by storage · 4 on the wire`. */
export function describeParts({ partsDone, partsOnWire, partsSentAgain }: Parts, total: number): string {
  const pieces = [say('job.parts.confirmed', { done: partsDone, total })];
  if (partsOnWire > 0) pieces.push(say('job.parts.onWire', { count: partsOnWire }));
  if (partsSentAgain > 0) pieces.push(say('job.parts.sentAgain', { count: partsSentAgain }));
  return formatFacts(pieces);
}
