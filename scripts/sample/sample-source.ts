import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cityModel } from './city-model.ts';

/** Source data to try Tilelift with, and what it becomes. */
export interface SampleSource {
  readonly path: string;
  readonly assetType: '3DTILES';
  readonly sourceType: 'CITYGML';
}

/** Real CityGML, where it lies beside the project. The project does not ship it. */
const realSample = join(import.meta.dirname, '..', '..', '..', 'shared', 'samples', 'Reichstag.zip');

/** The real sample where it is present, else a small CityGML written into `folder`. */
export async function sampleSource(folder: string): Promise<SampleSource> {
  if (existsSync(realSample)) return { path: realSample, assetType: '3DTILES', sourceType: 'CITYGML' };
  const path = join(folder, 'Sample_Town');
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'sample-town.gml'), cityModel(24));
  return { path, assetType: '3DTILES', sourceType: 'CITYGML' };
}
