/**
 * `npm run sense -- --mutations 100000 [tif las …]`: feeds that many broken files to each or the named
 * readers. `npm run sense -- --measure 100000 [--bundle]`: inspects that many generated files as the New
 * asset sheet does, and prints the cost; with `--bundle`, threads run the output of `npx electron-vite
 * build`. `npm run sense -- FOLDER [--json]`: prints each file's header metadata, to compare it with GDAL and
 * PDAL. With `--json`, an object for each: file, format, system, vertical, beside (system named by a sidecar
 * file), box in the file's system, ring in lon/lat, verdict, degree, onlyInCloud, findings (ids, also those
 * across files).
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { scanSource } from '../../main/files/walk/scan.ts';
import { outlines } from '../../main/inspect/crs/footprints.ts';
import { toLonLat } from '../../main/inspect/crs/lon-lat.ts';
import { loadSystems } from '../../main/inspect/crs/systems.ts';
import { createFindings } from '../../main/inspect/findings/create-findings.ts';
import { extensionOf, planInspection } from '../../main/inspect/headers/choose.ts';
import { taskAt } from '../../main/inspect/headers/header-task.ts';
import { readHeaderOf } from '../../main/inspect/headers/inspection-tasks.ts';
import { inspectedMembers, type Look } from '../../main/inspect/headers/look-inside.ts';
import { asAuxiliary } from '../../main/inspect/headers/read-header.ts';
import { measure } from './measure.ts';
import { mutations } from './mutations.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    measure: { type: 'string' },
    bundle: { type: 'boolean', default: false },
    mutations: { type: 'string' },
  },
});
if (values.measure !== undefined) {
  const bundle = new URL('../../out/main/scan-worker.js', import.meta.url);
  await measure(Number(values.measure), values.bundle ? bundle : undefined);
  process.exit();
}
if (values.mutations !== undefined) {
  process.exitCode = (await mutations(Number(values.mutations), positionals)) ? 0 : 1;
  process.exit();
}
const [folder, ...excessFolders] = positionals;
if (folder === undefined || excessFolders.length > 0) {
  process.stderr.write(
    'npm run sense -- FOLDER [--json] | --measure COUNT [--bundle] | --mutations COUNT [READER …]\n',
  );
  process.exit(2);
}

const { files } = await scanSource([resolve(folder)]);
const inOrder = [...files].sort((a, b) => (a.key < b.key ? -1 : 1));
const plan = planInspection(inOrder);
const systems = await loadSystems();
const outline = outlines(systems);
const findings = createFindings(inOrder, { ...systems, toLonLat });
const headerResults: Look[] = [];
for (const index of plan.order.toSorted()) {
  const task = taskAt(inOrder, index, plan);
  const headerResult = { key: task.key, ...(await readHeaderOf(task)) };
  for (const file of [headerResult, ...inspectedMembers(headerResult)]) {
    headerResults.push(file);
    findings.add(plan.isMain(extensionOf(file.key)) ? file : asAuxiliary(file));
  }
}
const idsOf = Map.groupBy(
  [...new Set(findings.finish().map(({ id }) => id))].flatMap((id) =>
    findings.showing(id).map((key) => ({ id, key })),
  ),
  ({ key }) => key,
);

for (const headerResult of headerResults) {
  const {
    key,
    head,
    sidecarSystemName: sidecarName,
    verdict,
    degree = null,
    onlyInCloud = false,
  } = headerResult;
  const { system, vertical } = head && 'system' in head ? head : { system: null, vertical: null };
  const box = head && 'corners' in head && head.corners ? boxOf(head.corners) : null;
  const ring = outline(headerResult);
  const ids = [...new Set((idsOf.get(key) ?? []).map(({ id }) => id))];
  const format = head?.kind ?? null;
  const brokenFinding = {
    file: key,
    format,
    system,
    vertical,
    beside: sidecarName,
    box,
    ring,
    verdict,
    degree,
    onlyInCloud,
    findings: ids,
  };
  const words = [format, system, vertical, sidecarName, box?.join(' '), verdict, ids.join(' ')].map(
    (cell) => cell || '-',
  );
  process.stdout.write(values.json ? `${JSON.stringify(brokenFinding)}\n` : `${key}\t${words.join('\t')}\n`);
}

/** West, south, east and north in the file's system. */
function boxOf(corners: readonly (readonly [number, number])[]): readonly number[] {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
