/**
 * Makes the table of coordinate systems (main/source/place/epsg.json), their definitions in WKT beside it,
 * and what PROJ answers for points of each (test/unit/source/place/oracle.json), from the database of the
 * PROJ that this machine has. `--raw FILE` takes what read-proj.py wrote before. `--check` writes nothing and
 * holds the table that ships against all points of all systems: it fails where a place is wrong.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkTable } from './check-table.ts';
import { makeTable, type Raw } from './make-table.ts';

const root = join(import.meta.dirname, '..', '..');
const ask = (script: string) =>
  execFileSync('/usr/bin/python3', [join(import.meta.dirname, script)], {
    encoding: 'utf8',
    maxBuffer: 1e8,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
const given = process.argv.indexOf('--raw');
const text = given > 0 ? readFileSync(process.argv[given + 1] ?? '', 'utf8') : ask('read-proj.py');
const raw = JSON.parse(text) as Raw;
if (process.argv.includes('--check')) {
  const found = await checkTable(raw);
  process.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
  process.exit(found.wrong.length + found.missing.length > 0 ? 1 : 0);
}
const { table, oracle, figures } = makeTable(raw);
writeFileSync(join(root, 'main', 'source', 'place', 'epsg.json'), `${JSON.stringify(table, null, 1)}\n`);
writeFileSync(join(root, 'main', 'source', 'place', 'epsg-wkt.json'), ask('read-wkt.py'));
writeFileSync(
  join(root, 'test', 'unit', 'source', 'place', 'oracle.json'),
  `${JSON.stringify(oracle, null, 1)}\n`,
);
process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
