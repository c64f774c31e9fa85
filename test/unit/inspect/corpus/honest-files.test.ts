import { expect, it } from 'vitest';
import { toLonLat } from '../../../../main/inspect/crs/lon-lat.ts';
import { loadSystems } from '../../../../main/inspect/crs/systems.ts';
import { createFindings } from '../../../../main/inspect/findings/create-findings.ts';
import { suggestKind } from '../../../../main/inspect/kind-of-data.ts';
import { factsOf } from '../../../../shared/findings.ts';
import { files, lookAtAll, saysOf } from './corpus.ts';

const results = await lookAtAll();
const systems = await loadSystems();

/** Errors of a single file with its detected kind. */
function severeFindings(key: string): readonly string[] {
  const result = results.get(key);
  if (!result) return ['unread'];
  const wholeResult = { ...result, key };
  const [stem] = key.split('.');
  const ownFiles = [...files].filter(([name]) => name.split('.')[0] === stem);
  const listedFiles = ownFiles.map(([name, { length }]) => ({ key: name, size: length }));
  const findings = createFindings(listedFiles, { ...systems, toLonLat });
  findings.add(wholeResult);
  const file = { key, path: `/${key}`, size: 1, mtimeMs: 0 };
  const { sourceType } = suggestKind({ files: [file] }, [wholeResult]) ?? {};
  return findings.finish().flatMap(({ id }) => {
    const { level, sourceTypes } = factsOf(id);
    const concerns =
      sourceTypes === undefined || (sourceType !== undefined && sourceTypes.includes(sourceType));
    return level !== 'worth-knowing' && concerns ? [id] : [];
  });
}

it('findings contain no error for files that GDAL can place', () => {
  const honest = saysOf('.tif', '.asc', '.img', '.dem', '.flt', '.bil', '.jpg', '.png').filter(
    ([, { extent, nature }]) => extent !== null && nature === undefined,
  );
  expect(honest.length).toBeGreaterThan(150);
  const complaints = honest.flatMap(([name]) => severeFindings(name).map((id) => `${name}: ${id}`));
  // GDAL places metres labelled as feet in Africa.
  expect(complaints).toEqual(['raw_feet_of_own.tif: contradicting-unit']);
});

it('findings report every file without a system for GDAL', () => {
  const withoutSystem = saysOf('.tif', '.asc', '.img', '.dem', '.flt', '.bil', '.jpg', '.png').filter(
    ([name, { system, nature }]) =>
      system === null && nature === undefined && !/^(?:plain|progressive)/.test(name),
  );
  expect(withoutSystem.length).toBeGreaterThan(8);
  const silentFiles = withoutSystem.filter(([name]) => !severeFindings(name).includes('no-system-raster'));
  expect(silentFiles.map(([name]) => name)).toEqual([]);
});
