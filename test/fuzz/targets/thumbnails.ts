import { unpackLaz } from '../../../main/inspect/headers/laz-perf.ts';
import { thumbnailSide } from '../../../main/inspect/thumbnails/picture.ts';
import { drawFile } from '../../../main/inspect/thumbnails/thumbnail.ts';
import { files } from '../../unit/inspect/corpus/corpus.ts';
import { lazFile } from '../../unit/inspect/formats/laz-files.ts';
import { Escape, type Target } from '../target.ts';

const packed = [2, 7].map((format) =>
  lazFile({ format, chunks: [Array.from({ length: 60 }, (_, at) => ({ class: at % 5, grey: at * 900 }))] }),
);

/** Draws thumbnails: never an error, never more pixels than it may. */
export const thumbnailTargets: readonly Target[] = ['tif', 'img', 'asc', 'las', 'laz', 'jpg', 'png'].map(
  (extension) => ({
    name: `thumbnail.${extension}`,
    share: 0.2,
    seeds: [
      ...[...files].flatMap(([name, bytes]) => (name.endsWith(`.${extension}`) ? [bytes] : [])).slice(0, 40),
      ...(extension === 'laz' ? packed : []),
    ],
    run: async (input) => {
      const read = async (at: number, length: number) => input.subarray(at, at + length);
      const drawn = await drawFile(`a.${extension}`, input.length, read, unpackLaz);
      if (drawn === null) return 'none';
      if (!(drawn instanceof Uint8Array)) return 'encoded';
      const view = Buffer.from(drawn);
      if (Math.max(view.readUInt32BE(16), view.readUInt32BE(20)) > thumbnailSide)
        throw new Escape('too large');
      return 'drawn';
    },
  }),
);
