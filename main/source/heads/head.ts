import type { FilePieces } from './file-pieces.ts';
import { type GmlHead, readGmlHead } from './gml-head.ts';
import { type GridHead, readGridHead } from './grid-head.ts';
import { type JpegHead, readJpegHead } from './jpeg-head.ts';
import { type LasHead, readLasHead } from './las-head.ts';
import { type PngHead, readPngHead } from './png-head.ts';
import { readTiffHead, type TiffHead } from './tiff-head.ts';

export type Head = GmlHead | GridHead | JpegHead | LasHead | PngHead | TiffHead;

interface Family {
  readonly extensions: readonly string[];
  readonly read: (file: FilePieces) => Head | null;
}

/** Files whose heads tell something. What says more of a source stands first. */
const families: readonly Family[] = [
  { extensions: ['gml', 'citygml'], read: readGmlHead },
  { extensions: ['las', 'laz'], read: readLasHead },
  { extensions: ['asc'], read: readGridHead },
  { extensions: ['tif', 'tiff'], read: readTiffHead },
  { extensions: ['jpg', 'jpeg'], read: readJpegHead },
  { extensions: ['png'], read: readPngHead },
  { extensions: ['xml'], read: readGmlHead },
];
/** Beside others these are textures and descriptions. */
const firstAlone = 4;

const rankOf = new Map(
  families.flatMap(({ extensions }, rank) => extensions.map((one) => [one, rank] as const)),
);

/** What the head says, by the file's ending. Null for what is not what its ending says, and while pieces are missing (`file.wanted`). */
export function readHead(name: string, file: FilePieces): Head | null {
  return families[rankOf.get(extensionOf(name)) ?? -1]?.read(file) ?? null;
}

/**
 * The files whose heads are worth reading: at most `most`, spread over the source.
 */
export function chooseForHeads<Named extends { readonly key: string }>(
  files: readonly Named[],
  most: number,
): readonly Named[] {
  const byRank = new Map<number, Named[]>();
  for (const file of files) {
    const rank = rankOf.get(extensionOf(file.key));
    if (rank === undefined) continue;
    const list = byRank.get(rank);
    if (list) list.push(file);
    else byRank.set(rank, [file]);
  }
  const chosen: Named[] = [];
  for (const rank of families.keys()) {
    if (chosen.length > 0 && rank >= firstAlone) break;
    chosen.push(...spread(byRank.get(rank) ?? [], most - chosen.length));
  }
  return chosen;
}

function spread<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)]).filter(
    (item) => item !== undefined,
  );
}

/** In lower case, without the dot; empty without one. */
export function extensionOf(name: string): string {
  return /[^/]\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}
