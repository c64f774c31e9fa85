import type { PieceView } from '../../preload/contract.ts';
import { findKind } from '../../shared/kinds.ts';
import { formatBytes, formatCount, formatFacts, formatNames, say } from '../say.ts';

/** Most extensions listed for data, and for sidecar files. */
const maxNamed = 4;

/** `24 .tif with .tfw, .aux.xml · 12.1 GB`, `kirche.obj with .mtl, 12 .jpg · 640 MB`. */
export function describeContents(pieces: readonly PieceView[]): string {
  const counts = new Map<string, { extension: string; count: number; isData: boolean; isSidecar: boolean }>();
  for (const { contents, sourceType } of pieces) {
    const dataExtensions = findKind(sourceType)?.extensions ?? [];
    for (const { extension, count, beside: isSidecar } of contents) {
      const entry = counts.get(extension) ?? {
        extension,
        count: 0,
        isData: dataExtensions.includes(extension),
        isSidecar,
      };
      counts.set(extension, { ...entry, count: entry.count + count });
    }
  }
  const entries = [...counts.values()];
  const dataEntries = entries.filter(({ isData }) => isData);
  const data = dataEntries.length > 0 ? dataEntries : entries.filter(({ isSidecar }) => !isSidecar);
  const sidecars = entries.filter((entry) => !data.includes(entry));
  const [firstPiece] = pieces;
  const isOne = pieces.length === 1 && data.length === 1 && data[0]?.count === 1;
  const dataWords = isOne && firstPiece ? firstPiece.name : formatNames(shorten(data.map(describeCount)));
  const sidecarWords = formatNames(
    shorten(sidecars.map((entry) => (entry.isSidecar ? `.${entry.extension}` : describeCount(entry)))),
  );
  const contents =
    sidecars.length > 0
      ? say('newAsset.proposal.with', { data: dataWords, others: sidecarWords })
      : dataWords;
  return formatFacts([contents, formatBytes(pieces.reduce((sum, { bytes }) => sum + bytes, 0))]);
}

const describeCount = ({ extension, count }: { readonly extension: string; readonly count: number }) =>
  extension === '' ? say('newAsset.extensions.none', { count }) : `${formatCount(count)} .${extension}`;

const shorten = (names: readonly string[]): readonly string[] =>
  names.length <= maxNamed ? names : [...names.slice(0, maxNamed), '…'];
