/**
 * Makes the table of coordinate systems (main/source/place/epsg.json), their definitions in WKT beside it,
 * and what PROJ answers for points of each (test/unit/source/place/oracle.json), from the database of the
 * PROJ that this machine has. `--raw FILE` takes what read-proj.py wrote before.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
const { table, oracle, figures } = makeTable(JSON.parse(text) as Raw);
writeFileSync(join(root, 'main', 'source', 'place', 'epsg.json'), `${JSON.stringify(table, null, 1)}\n`);
writeFileSync(join(root, 'main', 'source', 'place', 'epsg-wkt.json'), ask('read-wkt.py'));
writeFileSync(
  join(root, 'test', 'unit', 'source', 'place', 'oracle.json'),
  `${JSON.stringify(oracle, null, 1)}\n`,
);
process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
