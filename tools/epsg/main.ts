/**
 * Generates the tables of coordinate systems (main/inspect/crs/epsg.json, epsg-deprecated.json) with WKT
 * definitions, and PROJ's results for points of each (test/unit/inspect/crs/oracle.json,
 * oracle-deprecated.json), from the local PROJ's database. `--raw FILE` reads an output of read-proj.py.
 * `--check` only compares the shipped table with all points and fails on a wrong position.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkTable } from './check-table.ts';
import { makeTable, type RawTable } from './make-table.ts';

const root = join(import.meta.dirname, '..', '..');
const ask = (script: string, ...options: readonly string[]) =>
  execFileSync('/usr/bin/python3', [join(import.meta.dirname, script), ...options], {
    encoding: 'utf8',
    maxBuffer: 1e8,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
const rawIndex = process.argv.indexOf('--raw');
const text = rawIndex > 0 ? readFileSync(process.argv[rawIndex + 1] ?? '', 'utf8') : ask('read-proj.py');
const rawTable = JSON.parse(text) as RawTable;
if (process.argv.includes('--check')) {
  const checkResult = await checkTable(rawTable);
  process.stdout.write(`${JSON.stringify(checkResult, null, 2)}\n`);
  process.exit(checkResult.wrong.length + checkResult.missing.length > 0 ? 1 : 0);
}
const place = join(root, 'main', 'inspect', 'crs');
const write = (of: RawTable, extension: string) => {
  const { table, oracle, figures } = makeTable(of);
  const text = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`;
  writeFileSync(join(place, `epsg${extension}.json`), text(table));
  writeFileSync(join(root, 'test', 'unit', 'inspect', 'crs', `oracle${extension}.json`), text(oracle));
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
};
write(rawTable, '');
write(JSON.parse(ask('read-proj.py', '--deprecated')) as RawTable, '-deprecated');
writeFileSync(join(place, 'epsg-wkt.json'), ask('read-wkt.py'));
