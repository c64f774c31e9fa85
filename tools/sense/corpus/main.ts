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

const kept = join(import.meta.dirname, '..', '..', '..', 'test', 'unit', 'inspect', 'corpus');
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
  const says = JSON.parse(python('ask-oracles.py'));
  const files = names.map((name) => [name, readFileSync(join(folder, name)).toString('base64')]);
  const packed = gzipSync(JSON.stringify(Object.fromEntries(files)), { level: 9 });
  writeFileSync(join(kept, 'files.json.gz'), packed);
  const lines = Object.entries(says.files).map(
    ([name, says]) => `${JSON.stringify(name)}:${JSON.stringify(says)}`,
  );
  const { gdal, proj } = says;
  writeFileSync(
    join(kept, 'says.json'),
    `{"gdal":${JSON.stringify(gdal)},"proj":${JSON.stringify(proj)},"files":{\n${lines.join(',\n')}\n}}\n`,
  );
  process.stdout.write(`${names.length} files, ${packed.length} bytes packed, ${lines.length} asked\n`);
} finally {
  rmSync(folder, { recursive: true });
}
