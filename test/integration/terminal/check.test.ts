import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { suiteFolder } from '../../temporary-folder.ts';
import { cityModel, lasFile, projectedKeys, tiffFile } from '../../unit/inspect/formats/sample-heads.ts';
import { writeFiles } from '../../write-files.ts';
import { runScript } from './run-script.ts';

const script = join(import.meta.dirname, '..', '..', '..', 'scripts', 'start.mjs');
/** Leaving the main thread sets a distinct exit code; the layering rules cover other modules. */
const noNetwork = `data:text/javascript,${encodeURIComponent(`
  import net from 'node:net'; import dns from 'node:dns'; import dgram from 'node:dgram';
  const refuse = () => { process.stderr.write('NETWORK'); process.exit(99); };
  net.Socket.prototype.connect = refuse; net.Server.prototype.listen = refuse;
  dns.lookup = refuse; dgram.createSocket = refuse;
`)}`;

interface CheckMode {
  readonly language?: string;
  /** Ends the script at its first error output. */
  readonly stopped?: boolean;
}

const check = (
  args: readonly string[],
  { language = 'en_GB.UTF-8', stopped: isStopped = false }: CheckMode = {},
) =>
  runScript(script, ['--check', ...args], {
    stopped: isStopped,
    // No display and no other session variables.
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NODE_OPTIONS: `--import=${noNetwork}`,
      LC_ALL: language,
    },
  });

const tile = (at: number) =>
  tiffFile({
    geoKeys: projectedKeys(25832),
    ...{ size: [10, 10], scale: [100, 100, 0], tie: [0, 0, 0, 500_000 + 1000 * at, 5_700_000, 0] },
  });

const folder = realpathSync(suiteFolder());

async function fillFolder(name: string, files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  await writeFiles(join(folder, name), files);
  return join(folder, name);
}

it('npm start -- --check exits with 0 and says so without findings, and uses no network', async () => {
  const path = await fillFolder('clean', { 'a.tif': tile(0), 'b.tif': tile(1) });
  const { code, output, errors } = await check([path]);
  expect(output).toContain('2 of 2 data files checked.');
  expect(output).toContain('Coordinate system: EPSG:25832');
  expect(output.trimEnd().split('\n').at(-1)).toBe('No findings.');
  expect(errors.split('\n')[0]).toBe(`Checking ${path} …`);
  expect(code).toBe(0);
});

it('npm start -- --check exits with 1 if something is likely to fail, in the terminal’s language', async () => {
  const path = await fillFolder('cut', { 'a.tif': tile(0), 'b.tif': tile(1).subarray(0, -1) });
  const { code, output } = await check([path]);
  expect(output).toContain('Likely to fail\n  1 file is truncated\n    Files: b.tif\n');
  expect(code).toBe(1);
  const inGerman = await check([path], { language: 'de_DE.UTF-8' });
  expect(inGerman.output).toContain('Schlägt wahrscheinlich fehl\n  1 Datei ist unvollständig\n');
  expect(inGerman.code).toBe(1);
});

it.each([
  ['a path that is not there', ['/no/such/path'], /^Nothing was found at \/no\/such\/path\. Check/m],
  ['an unknown type', [tmpdir(), '--type', 'MESH'], /“MESH” is not a type\. Use one of: 3DTILES/],
  ['no path', [], /argument path is missing/],
])(
  'npm start -- --check exits with 2 for %s, which it names with a remedy',
  async (_what, args, expected) => {
    const { code, output, errors } = await check(args);
    expect(output).toBe('');
    expect(errors).toMatch(expected);
    expect(code).toBe(2);
  },
);

it('npm start -- --check exits with 3 and partial results when interrupted', async () => {
  const names = Array.from({ length: 4_000 }, (_, at) => [`tiles/${at}.tif`, tile(at % 100)] as const);
  const path = await fillFolder('many', Object.fromEntries(names));
  const { code, output } = await check([path, '--json'], { stopped: true });
  expect(JSON.parse(output)).toMatchObject({ result: 'incomplete' });
  expect(code).toBe(3);
});

it('npm start -- --check escapes names that would control the terminal', async () => {
  const path = await fillFolder('steering', { 'a\u001b[2J.tif': tiffFile() });
  const { output } = await check([path]);
  expect(output).toContain('a\u{fffd}[2J.tif');
  expect(output).not.toContain('\u001b');
});

it('npm start -- --check prints the documented JSON', async () => {
  const path = await fillFolder('delivery', {
    'dom/a.tif': tile(0),
    'dom/b.tif': tile(1).subarray(0, -1),
    'dom/c.tif': tiffFile(),
    'dom/empty.tif': '',
    'readme.txt': 'notes',
    'scan/a.las': lasFile(),
    'Bericht.pdf': 'x',
    'roads.shp': 'x',
  });
  const model = await fillFolder('town', { 'town.gml': cityModel() });
  const { code, output, errors } = await check([path, model, '--json', '--strict']);
  expect(errors.split('\n')[0]).toBe(`Checking ${path}, ${model} …`);
  expect(code).toBe(1);
  await expect(output.replaceAll(folder, '/data')).toMatchFileSnapshot('check-json.golden');
});
