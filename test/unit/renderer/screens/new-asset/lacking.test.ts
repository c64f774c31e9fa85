import { describe, expect, it } from 'vitest';
import { citySource, lackingSource, photoSource } from '../../../../../gallery/samples/sample-sources.ts';
import { draftFrom } from '../../../../../renderer/screens/new-asset/draft/draft.ts';
import { describeLacking } from '../../../../../renderer/screens/new-asset/draft/lacking.ts';

const plain = (text: string | undefined) => text?.replaceAll('\u00a0', ' ');
const [grids] = lackingSource.lacking;

describe('what is said of files without a coordinate system', () => {
  it('names how many, which, and what helps', () => {
    const [words] = describeLacking(lackingSource.lacking, draftFrom(lackingSource));
    expect(plain(words?.finding)).toBe(
      'No coordinate system found in 3 of 12 files: dgm_04.asc, dgm_05.asc, dgm_11.asc',
    );
    expect(words?.advice).toContain('.prj');
  });

  it('says that not all files were looked into', () => {
    const [words] = describeLacking(photoSource.lacking, draftFrom(photoSource));
    expect(plain(words?.finding)).toBe(
      'No GPS position in 1 of the 20 photos checked (of 412): DJI_0271.jpg',
    );
  });

  it('is silent for kinds of data to which it does not matter', () => {
    expect(describeLacking(lackingSource.lacking, draftFrom(citySource))).toEqual([]);
  });

  it('is silent once the person has named the coordinate system of a point cloud', () => {
    const lacking = grids ? [{ ...grids, sourceTypes: ['POINT_CLOUD'] }] : [];
    const draft = { ...draftFrom(citySource), sourceType: 'POINT_CLOUD' };
    expect(describeLacking(lacking, draft)).toHaveLength(1);
    const named = { ...draft, options: { ...draft.options, inputCrs: 'EPSG:25832' } };
    expect(describeLacking(lacking, named)).toEqual([]);
  });
});
