import { extname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBytes } from '../formats/read-bytes.ts';
import { files } from './corpus.ts';

const shares = [0.25, 0.5, 0.75, 0.9, 0.99];
const cutAt = ({ length }: Buffer) => [
  ...shares.map((fraction) => Math.floor(length * fraction)),
  length - 1,
];
const verdictOn = async (name: string, bytes: Buffer) => (await readBytes(name, bytes)).verdict;

describe.each(['.tif', '.las', '.laz', '.jpg', '.png', '.zip'])('%s files of the corpus', (extension) => {
  const wholeFiles = [...files].filter(([name]) => extname(name) === extension);

  it('files of the corpus are complete', async () => {
    expect(wholeFiles.length).toBeGreaterThan(7);
    const wrongNames: string[] = [];
    for (const [name, bytes] of wholeFiles)
      if ((await verdictOn(name, bytes)) !== null) wrongNames.push(name);
    expect(wrongNames).toEqual([]);
  });

  it('files of the corpus are reported in 99 of 100 cases when truncated', async () => {
    const missed: string[] = [];
    for (const [name, bytes] of wholeFiles)
      for (const length of cutAt(bytes))
        if ((await verdictOn(name, bytes.subarray(0, length))) === null)
          missed.push(`${name}: ${length} of ${bytes.length}`);
    const cases = wholeFiles.length * (shares.length + 1);
    expect(missed.length / cases, missed.join('\n')).toBeLessThanOrEqual(0.01);
  });
});
