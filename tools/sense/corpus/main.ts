/**
 * Makes the readers' corpus: files written by GDAL or byte by byte (`files.json.gz`, by name), and the
 * results of GDAL, PROJ and independent readers for them (`says.json`). Needs Debian's `python3-gdal
 * python3-pyproj python3-numpy`; the tests don't.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const corpusFolder = join(import.meta.dirname, '..', '..', '..', 'test', 'unit', 'inspect', 'corpus');
const folder = mkdtempSync(join(tmpdir(), 'tilelift-corpus-'));
const python = (script: string) =>
  execFileSync('/usr/bin/python3', [join(import.meta.dirname, script), folder], {
    encoding: 'utf8',
    maxBuffer: 1e8,
    stdio: ['ignore', 'pipe', 'inherit'],
  });

try {
  for (const script of ['make-tiffs.py', 'make-clouds.py', 'make-others.py']) python(script);
  const names = readdirSync(folder).toSorted();
  const oracleAnswers = JSON.parse(python('ask-oracles.py'));
  const files = names.map((name) => [name, readFileSync(join(folder, name)).toString('base64')]);
  const packedFiles = gzipSync(JSON.stringify(Object.fromEntries(files)), { level: 9 });
  writeFileSync(join(corpusFolder, 'files.json.gz'), packedFiles);
  const lines = Object.entries(oracleAnswers.files).map(
    ([name, oracleAnswer]) => `${JSON.stringify(name)}:${JSON.stringify(oracleAnswer)}`,
  );
  const { gdal, proj } = oracleAnswers;
  writeFileSync(
    join(corpusFolder, 'says.json'),
    `{"gdal":${JSON.stringify(gdal)},"proj":${JSON.stringify(proj)},"files":{\n${lines.join(',\n')}\n}}\n`,
  );
  process.stdout.write(`${names.length} files, ${packedFiles.length} bytes packed, ${lines.length} asked\n`);
} finally {
  rmSync(folder, { recursive: true });
}
