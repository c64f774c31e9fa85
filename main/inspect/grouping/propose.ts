import type { KnownSourceType } from '../../../shared/kinds.ts';
import type { LeftOutReason } from '../../../shared/source.ts';
import { add } from '../../files/places.ts';
import { type KeyedFiles, keyAt, type Sorted, servedKinds, type Unit } from './file-classes.ts';
import { folderOf } from './folders.ts';

/** Inseparable files that the user moves between assets. */
export interface Piece {
  /** Null if excluded. */
  readonly kind: KnownSourceType | null;
  readonly reason: LeftOutReason | null;
  /** Key of the file or folder that names it. */
  readonly primary: string;
  /** Indexes among the source's files. */
  readonly files: readonly number[];
}

export interface Proposal {
  readonly pieces: readonly Piece[];
  /** Each piece with a kind is in exactly one asset, all of one kind. */
  readonly assets: readonly (readonly number[])[];
}

interface Dropped {
  /** Whether keys start with an entry's name. */
  readonly several: boolean;
  readonly isWhole: (entry: string) => boolean;
}

/** Kinds whose single files or folders are complete data sets, not tiles. */
const wholeByThemselves: ReadonlySet<KnownSourceType> = new Set([
  ...(['3D_MODEL', 'BIM_CAD', 'KML', '3DTILES', 'TERRAIN_DATABASE'] as const),
]);
/** Limit per asset. More pieces are merged by folder, more folders into one piece. */
const maxPieces = 500;

/**
 * Proposes an asset per kind. Several dropped folders, archives or complete data sets become separate assets;
 * other files are probably tiles of one data set.
 */
export function propose(
  files: KeyedFiles,
  { units, leftOutFiles }: Sorted,
  { several, isWhole }: Dropped,
): Proposal {
  const pieces: Piece[] = [];
  const assets: number[][] = [];
  const entryOf = ({ primary }: Unit) => primary.split('/', 1)[0] ?? '';
  for (const [kind, kindUnits] of Map.groupBy(units, (unit) => unit.fileClass)) {
    const isServed = servedKinds.has(kind) && kindUnits.length <= maxPieces;
    const entries = isServed
      ? Map.groupBy(kindUnits, (unit) => unit.primary)
      : several
        ? Map.groupBy(kindUnits, entryOf)
        : new Map<string, Unit[]>();
    const isSeparate =
      isServed || (several && (wholeByThemselves.has(kind) || [...entries.keys()].every(isWhole)));
    for (const entryUnits of isSeparate ? entries.values() : [kindUnits]) {
      const entryPieces = piecesOf(entryUnits);
      assets.push(entryPieces.map((_piece, index) => pieces.length + index));
      pieces.push(...entryPieces);
    }
  }
  for (const [reason, leftOutPlaces] of leftOutFiles)
    pieces.push({ kind: null, reason, primary: keyAt(files, leftOutPlaces[0]), files: leftOutPlaces });
  return { pieces, assets };
}

function piecesOf(units: readonly Unit[]): readonly Piece[] {
  const whole = (units: readonly Unit[], primary: string): Piece => {
    const files: number[] = [];
    for (const unit of units) {
      add(files, unit.files);
    }
    return { kind: units[0]?.fileClass ?? null, reason: null, primary, files };
  };
  const pieces: Piece[] = [];
  if (units.length <= maxPieces) {
    for (const unit of units) pieces.push(whole([unit], unit.primary));
    return pieces;
  }
  const folders = Map.groupBy(units, ({ primary }) => folderOf(primary));
  const [firstUnit] = units;
  if (folders.size > maxPieces) return [whole(units, folderOf(firstUnit?.primary ?? ''))];
  for (const [folder, folderUnits] of folders) pieces.push(whole(folderUnits, folder));
  return pieces;
}
