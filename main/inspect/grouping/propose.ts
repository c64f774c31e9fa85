import type { KnownSourceType } from '../../../shared/kinds.ts';
import type { LeftOutReason } from '../../../shared/source.ts';
import { add } from '../../files/places.ts';
import { folderOf } from './folders.ts';
import { type KeyedFiles, keyAt, type Sorted, type Unit } from './natures.ts';

/** Files that are moved from asset to asset by hand, and never parted. */
export interface Piece {
  /** Null for what is left out. */
  readonly kind: KnownSourceType | null;
  readonly reason: LeftOutReason | null;
  /** What it is named after: a file or a folder, by its key. */
  readonly primary: string;
  /** Places among the files of the source. */
  readonly files: readonly number[];
}

export interface Proposal {
  readonly pieces: readonly Piece[];
  /** The assets: which pieces each is made of, all of one kind. Each piece with a kind is in one of them. */
  readonly assets: readonly (readonly number[])[];
}

/** How the source was dropped. */
interface Dropped {
  /** Several entries: the first part of each key is then the entry’s name. */
  readonly several: boolean;
  /** Whether an entry is a folder or an archive, by its name. */
  readonly isWhole: (entry: string) => boolean;
}

/** Kinds of which one file or folder is a whole data set, not a tile of one. */
const wholeByThemselves: ReadonlySet<KnownSourceType> = new Set([
  ...(['3D_MODEL', 'BIM_CAD', 'KML', '3DTILES', 'TERRAIN_DATABASE'] as const),
]);
/** Pieces of one asset; more are put together by folder, and more folders are one piece. */
const maxPieces = 500;

/**
 * An asset for each kind of data. Where several entries of a kind were dropped, folders, archives and what is
 * whole by itself are an asset each; files of one kind are rather tiles of one data set.
 */
export function propose(files: KeyedFiles, { units, rest }: Sorted, { several, isWhole }: Dropped): Proposal {
  const pieces: Piece[] = [];
  const assets: number[][] = [];
  const entryOf = ({ primary }: Unit) => primary.split('/', 1)[0] ?? '';
  for (const [kind, own] of Map.groupBy(units, (unit) => unit.nature)) {
    const entries = several ? Map.groupBy(own, entryOf) : new Map<string, Unit[]>();
    const apart = several && (wholeByThemselves.has(kind) || [...entries.keys()].every(isWhole));
    for (const each of apart ? entries.values() : [own]) {
      const found = piecesOf(each);
      assets.push(found.map((_piece, index) => pieces.length + index));
      pieces.push(...found);
    }
  }
  for (const [reason, own] of rest)
    pieces.push({ kind: null, reason, primary: keyAt(files, own[0]), files: own });
  return { pieces, assets };
}

/** At most `maxPieces`. */
function piecesOf(units: readonly Unit[]): readonly Piece[] {
  const whole = (own: readonly Unit[], primary: string): Piece => {
    const files: number[] = [];
    for (const unit of own) {
      add(files, unit.files);
    }
    return { kind: own[0]?.nature ?? null, reason: null, primary, files };
  };
  const pieces: Piece[] = [];
  if (units.length <= maxPieces) {
    for (const unit of units) pieces.push(whole([unit], unit.primary));
    return pieces;
  }
  const folders = Map.groupBy(units, ({ primary }) => folderOf(primary));
  const [first] = units;
  if (folders.size > maxPieces) return [whole(units, folderOf(first?.primary ?? ''))];
  for (const [folder, own] of folders) pieces.push(whole(own, folder));
  return pieces;
}
