import { expect, it } from 'vitest';
import { Photos } from '../../../../main/inspect/findings/photos.ts';
import type { JpegHead } from '../../../../main/inspect/formats/raster/jpeg.ts';

function findIn(...heads: readonly Partial<JpegHead>[]) {
  const photos = new Photos();
  for (const [index, head] of heads.entries())
    photos.add(`${index}.jpg`, { kind: 'jpeg', hasPosition: false, ...head });
  return photos.find();
}
const ids = (...heads: readonly Partial<JpegHead>[]) => findIn(...heads).map(({ id }) => id);

it('Photos reports nothing for two photos', () => {
  const [firstCamera, secondCamera] = [
    { camera: 'A', day: 1, position: [13, 52] },
    { camera: 'B', day: 90, position: [13, 52] },
  ] as const;
  expect(ids(firstCamera, secondCamera)).toEqual([]);
  expect(ids(firstCamera, secondCamera, firstCamera)).toEqual([
    'photos-in-one-spot',
    'several-cameras',
    'photos-days-apart',
  ]);
});

it('Photos names five cameras, counts fifty, and lists a thousand photos', () => {
  const manyPhotos = Array.from({ length: 3_000 }, (_, at) => ({ camera: `C${at}` }));
  const [group] = findIn(...manyPhotos);
  expect(group).toMatchObject({ count: 49, values: { cameras: { more: 45 } } });
  const [mainFinding] = findIn(...manyPhotos.map((_, at) => ({ camera: at < 1_501 ? 'A' : 'B' })));
  expect([mainFinding?.count, mainFinding?.keys.length]).toEqual([1_499, 1_000]);
});
