import type { PieceView } from '../../preload/contract.ts';
import { findKind } from '../../shared/kinds.ts';
import { formatBytes, formatCount, formatNames, say } from '../say.ts';

/** Most extensions listed for data, and for sidecar files. */
const maxNamed = 4;

/** `24 .tif with .tfw, .aux.xml · 12.1 GB`, `kirche.obj with .mtl, 12 .jpg · 640 MB`. */
export function describeContents(pieces: readonly PieceView[]): string {
  const counts = new Map<string, { extension: string; count: number; isData: boolean; beside: boolean }>();
  for (const { contents, sourceType } of pieces) {
    const known = findKind(sourceType)?.extensions ?? [];
    for (const { extension, count, beside } of contents) {
      const one = counts.get(extension) ?? { extension, count: 0, isData: known.includes(extension), beside };
      counts.set(extension, { ...one, count: one.count + count });
    }
  }
  const all = [...counts.values()];
  const ofData = all.filter(({ isData }) => isData);
  const data = ofData.length > 0 ? ofData : all.filter(({ beside }) => !beside);
  const others = all.filter((one) => !data.includes(one));
  const [only] = pieces;
  const isOne = pieces.length === 1 && data.length === 1 && data[0]?.count === 1;
  const what = isOne && only ? only.name : formatNames(shorten(data.map(describeCount)));
  const beside = formatNames(
    shorten(others.map((one) => (one.beside ? `.${one.extension}` : describeCount(one)))),
  );
  const named = others.length > 0 ? say('newAsset.proposal.with', { data: what, others: beside }) : what;
  return `${named} · ${formatBytes(pieces.reduce((sum, { bytes }) => sum + bytes, 0))}`;
}

const describeCount = ({ extension, count }: { readonly extension: string; readonly count: number }) =>
  extension === '' ? say('newAsset.extensions.none', { count }) : `${formatCount(count)} .${extension}`;

const shorten = (names: readonly string[]): readonly string[] =>
  names.length <= maxNamed ? names : [...names.slice(0, maxNamed), '…'];
