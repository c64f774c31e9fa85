import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import table from '../../../../main/inspect/crs/epsg.json' with { type: 'json' };
import { makeTable, type RawTable } from '../../../../tools/epsg/make-table.ts';
import oracle from './oracle.json' with { type: 'json' };

const root = join(import.meta.dirname, '..', '..', '..', '..');
/** One of each kind, with fitted, published and excluded shifts, and one across the date line. */
const codes = [25832, 31467, 4326, 4807, 4979, 4978, 5555, 3857, 2048, 6247, 3832, 27700];
const python = spawnSync(
  '/usr/bin/python3',
  [join(root, 'tools', 'epsg', 'read-proj.py'), ...codes.map(String)],
  { encoding: 'utf8' },
);
const rawTable = python.status === 0 ? (JSON.parse(python.stdout) as RawTable) : null;
const obstacle =
  rawTable === null
    ? 'PROJ for Python is not installed'
    : rawTable.proj !== table.proj || rawTable.epsg !== table.epsg
      ? `the table is of PROJ ${table.proj} with EPSG ${table.epsg}, this is ${rawTable.proj} with ${rawTable.epsg}`
      : null;
if (obstacle !== null) console.warn(`The table of coordinate systems is not made again: ${obstacle}.`);

describe.skipIf(obstacle !== null)('the table rebuilt from PROJ’s database', () => {
  it('the table rebuilt from PROJ’s database equals the stored one for systems of each kind', () => {
    const secondTable = makeTable(rawTable as RawTable);
    const wholeTable = (content: { systems: readonly string[]; areas: readonly string[] }) =>
      content.systems.flatMap((row) => {
        const [code, kind, axes, area, ...furtherCells] = row.split('|');
        return codes.includes(Number(code))
          ? [[code, kind, axes, content.areas[Number(area)], ...furtherCells]]
          : [];
      });
    expect(wholeTable(secondTable.table)).toHaveLength(codes.length);
    expect(wholeTable(secondTable.table)).toEqual(wholeTable(table));
    expect(secondTable.oracle).toEqual(oracle.filter((row) => codes.includes(Number.parseInt(row, 10))));
  });
});
