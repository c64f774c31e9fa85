import type { ThumbnailRequest } from '../../preload/contract.ts';
import type { Scenario } from '../scenario.ts';

const svg = (viewBox: string, content: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120" viewBox="${viewBox}">${content}</svg>`)}`;

const fields = ['#7d8f4e', '#a39a5d', '#5f7a45', '#b9a878', '#6c7f3f', '#8f8352']
  .map(
    (fill, at) => `<rect x="${(at % 3) * 54}" y="${at < 3 ? 0 : 62}" width="53" height="61" fill="${fill}"/>`,
  )
  .join('');
const slopes = Array.from(
  { length: 12 },
  (_, at) => `<circle cx="62" cy="50" r="${120 - at * 10}" fill="hsl(0 0% ${at * 8}%)"/>`,
);
/** Seen from above, within an irregular outline on nothing. */
const points = Array.from(
  { length: 400 },
  (_, at) =>
    `<rect x="${(at * 61) % 150}" y="${(at * 37) % 116}" width="7" height="7" fill="hsl(${150 - ((at * 61) % 150) * 0.7} 45% 50%)"/>`,
);

const pictures = new Map([
  [
    'RASTER_IMAGERY',
    svg(
      '0 0 160 120',
      `${fields}<path d="M0 96 Q70 40 160 70" stroke="#d8d2c4" stroke-width="5" fill="none"/>`,
    ),
  ],
  ['RASTER_TERRAIN', svg('0 0 160 120', slopes.join(''))],
  ['POINT_CLOUD', svg('0 0 160 120', points.join(''))],
]);

/** A drawn example for kinds that have a thumbnail. */
export function thumbnailOf(
  request: ThumbnailRequest,
  { jobs, source }: Pick<Scenario, 'jobs' | 'source'>,
): string | null {
  const kindOfPieces = () =>
    (source.ok ? source.value.pieces : []).find(
      (_, at) => !('pieces' in request) || (request.pieces ?? [at]).includes(at),
    )?.sourceType;
  const sourceType =
    'jobId' in request
      ? jobs.find(({ id }) => id === request.jobId)?.sourceType
      : 'assetId' in request
        ? jobs.find(({ assetId }) => assetId === request.assetId)?.sourceType
        : kindOfPieces();
  return pictures.get(sourceType ?? '') ?? null;
}
