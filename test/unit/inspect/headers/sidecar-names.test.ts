import { describe, expect, it } from 'vitest';
import { sidecarsWithSystem, systemInSidecar } from '../../../../main/inspect/headers/sidecar-names.ts';
import { cases } from './sidecar-table.ts';

const sidecarSystemName = (name: string, sidecar: string, text: string): string | null => {
  const kind = sidecarsWithSystem(name).find((candidate) => candidate.name === sidecar)?.kind;
  return kind === undefined ? null : (systemInSidecar(kind, text)?.system ?? null);
};

describe('a raster’s sidecar', () => {
  it('a raster’s sidecar is tested in six formats with eight sidecars', () => {
    expect(cases).toHaveLength(48);
  });

  it.each(cases)('$sidecar of a.$extension names a system: $names', ({ extension, sidecar, text, names }) => {
    expect(sidecarSystemName(`a.${extension}`, sidecar, text) !== null).toBe(names);
  });

  it('a raster’s sidecar without a system is ignored', () => {
    expect(
      sidecarSystemName('a.tif', 'a.tif.aux.xml', '<PAMDataset><PAMRasterBand band="1"/></PAMDataset>'),
    ).toBeNull();
    expect(
      sidecarSystemName('a.tif', 'a.tif.aux.xml', '<PAMDataset><SRS>LOCAL_CS["here"]</SRS></PAMDataset>'),
    ).toBeNull();
    expect(sidecarSystemName('a.tif', 'a.tab', '!table\nDefinition Table\n Type NATIVE')).toBeNull();
    expect(sidecarSystemName('a.asc', 'a.prj', '')).toBeNull();
    expect(sidecarSystemName('a.asc', 'a.prj', 'LOCAL_CS["here"]')).toBeNull();
  });

  it('a raster’s sidecar names a system verbatim', () => {
    expect(sidecarSystemName('a.asc', 'a.prj', 'PROJCS["ETRS_1989_UTM_Zone_32N"]')).toBe(
      'ETRS_1989_UTM_Zone_32N',
    );
    expect(sidecarSystemName('a.asc', 'a.prj', 'Projection UTM\nZone 32\n')).not.toBeNull();
    expect(
      sidecarSystemName('a.tif', 'a.tif.aux.xml', '<PAMDataset><SRS>EPSG:25832</SRS></PAMDataset>'),
    ).toBe('EPSG:25832');
  });
});
