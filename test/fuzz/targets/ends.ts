import { readFile } from '../../../main/inspect/formats/read-file.ts';
import { type SampleFile, samples } from '../../unit/inspect/formats/sample-files.ts';
import type { Target } from '../target.ts';

/** Checks whether files end as their formats require, with bounded reads for any bytes. */
export const endTargets: readonly Target[] = [
  ...Map.groupBy(samples, ({ ending: extension }) => extension),
].map(target);

function target([extension, files]: [string, SampleFile[]]): Target {
  return {
    name: `end-of${extension}`,
    share: 0.2,
    seeds: files.map(({ bytes }) => bytes),
    words: ['\0\0\0\0', '\xff\xff\xff\xff', '\x01\0\0\0', '<!--', '-->', '"', ' 9', '\n'],
    run: async (input) => {
      const read = async (at: number, length: number) => input.subarray(at, at + length);
      const header = files[0]?.header;
      const readSidecar = async () => (header === undefined ? input.subarray(0, 400) : Buffer.from(header));
      const results = [input.length, 2 ** 40].map((size) => readFile({ extension, size, read, readSidecar }));
      return (await Promise.all(results)).map(({ verdict }) => verdict).join();
    },
  };
}
