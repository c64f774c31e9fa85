import { toLonLat } from '../../../../main/inspect/crs/lon-lat.ts';
import { loadSystems } from '../../../../main/inspect/crs/systems.ts';
import { createFindings } from '../../../../main/inspect/findings/create-findings.ts';
import { sampleReferences } from '../../../../main/inspect/headers/file-references.ts';
import type { Look } from '../../../../main/inspect/headers/look-inside.ts';
import { readBytes } from '../formats/read-bytes.ts';

const systems = await loadSystems();
export const { systemByCode } = systems;

/** A file's bytes, a pair if a sidecar names a system, or a number for its size alone. */
export type Files = Readonly<
  Record<string, number | Buffer | string | readonly [Buffer | string, beside: string]>
>;

/** Findings in files with these bytes. */
export async function findIn(files: Files) {
  const allLooks: Look[] = [];
  for (const [key, content] of Object.entries(files)) {
    if (typeof content === 'number') continue;
    const [bytes, sidecarSystemName] = Array.isArray(content) ? content : [content as Buffer | string, null];
    const { reads: _, bytesRead: _read, ...facts } = await readBytes(key, bytes, { deep: true });
    const all = Buffer.from(bytes);
    const names = await sampleReferences(key, all.length, async (at, length) =>
      all.subarray(at, at + length),
    );
    allLooks.push({ ...facts, key, sidecarSystemName, names });
  }
  const listedFiles = Object.entries(files).map(([key, content]) => ({
    key,
    size:
      typeof content === 'number'
        ? content
        : Buffer.from(Array.isArray(content) ? content[0] : (content as Buffer)).length,
  }));
  return findInLooks(allLooks, listedFiles);
}

export function findInLooks(manyLooks: readonly Look[], files: readonly { key: string; size: number }[]) {
  const findings = createFindings(files, { ...systems, toLonLat });
  for (const singleLook of manyLooks) findings.add(singleLook);
  return findings.finish();
}
