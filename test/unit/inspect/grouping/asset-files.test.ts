import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SourceFile } from '../../../../main/files/model.ts';
import { assetAt, assetFiles, namedByAsset } from '../../../../main/inspect/grouping/asset-files.ts';
import type { Piece } from '../../../../main/inspect/grouping/propose.ts';

const file = (at: number): SourceFile => ({ key: `${at}.tif`, path: `/d/${at}.tif`, size: at, mtimeMs: 1 });
const piece = (...files: readonly number[]): Piece => ({
  ...{ kind: 'RASTER_IMAGERY', reason: null, primary: '', files },
});

it('asset files are listed by asset, without pieces in none', async () => {
  const allFiles = [0, 1, 2, 3, 4].map(file);
  const pieces = [piece(4, 0), piece(1), piece(2), piece(3)];
  const { files, lengths } = await assetFiles(allFiles, pieces, [[2], [0, 3]]);
  expect(Array.from(files, ({ key }) => key)).toEqual(['2.tif', '4.tif', '0.tif', '3.tif']);
  expect(lengths).toEqual([1, 3]);
});

it('asset files and their assets map to each other for any lengths', () =>
  fc.assert(
    fc.property(fc.array(fc.nat(5), { minLength: 1, maxLength: 20 }), (lengths) => {
      const owners = lengths.flatMap((length, asset) => Array.from({ length }, () => asset));
      const findAsset = assetAt(lengths);
      expect(owners.map((_owner, place) => findAsset(place))).toEqual(owners);
      const files = owners.map((owner, place) => ({ key: `${owner}/${place}`, size: place }));
      const parts = namedByAsset(files, lengths);
      expect(parts.flatMap((part) => [...part])).toEqual(files);
      for (const [asset, part] of parts.entries()) {
        expect(part.length).toBe(lengths[asset]);
        expect([...part].every(({ key }) => key.startsWith(`${asset}/`))).toBe(true);
        expect([part.at(0), part.at(part.length), part.at(-1)]).toEqual([[...part][0], undefined, undefined]);
      }
    }),
  ));
