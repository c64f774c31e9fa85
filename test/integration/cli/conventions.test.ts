import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CliHouse, cliHouse, jsonLines, signedInHouse, smallCity } from './run-cli.ts';

/** Options that users know from `gh`, `rclone` and `aws`. */

interface Row {
  readonly option: string;
  readonly does: string;
  /** Files by name, next to `city.gml`. */
  readonly files?: Readonly<Record<string, string>>;
  readonly signedOut?: true;
  readonly env?: (house: CliHouse) => Promise<Readonly<Record<string, string>>>;
  /** `SERVICE` is the service's URL; paths are relative to the test's folder. */
  readonly args: readonly string[];
  readonly input?: string | ((house: CliHouse) => Promise<string>);
  readonly code?: number;
  readonly check: (
    house: CliHouse,
    endedRun: { readonly stdout: string; readonly stderr: string },
  ) => unknown;
}

const triangle = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n';
const preset = {
  ...{ name: 'Fine', assetType: '3DTILES', sourceType: 'CITYGML', clampToTerrain: true },
  options: { textureFormat: 'KTX2' },
};
const upload = ['upload', 'city.gml'];
const token = async ({ tokenFile }: CliHouse) => (await readFile(tokenFile, 'utf8')).trim();
const optionsSent = ({ service }: CliHouse) =>
  service.control.optionsOf(Number(service.control.assets()[0]?.id));
const namesSent = async ({ service }: CliHouse) =>
  (await service.control.objects('sources/')).map(({ key }) => key.replace(/^sources\/\d+\//, '')).sort();

const rows: readonly Row[] = [
  {
    option: '--quiet --exclude --crs --position --log-file --receipt',
    does: 'prints the result only, leaves out files, places a model, moves a log of 10 MB, writes a receipt',
    files: { 'a.obj': triangle, 'b.obj': triangle, log: '-'.repeat(10_000_001) },
    args: [
      ...['upload', '.', '--name', 'models', '--quiet', '--crs', 'EPSG:25833', '--position', '13.4,52.5,34'],
      ...['--log-file', 'log', '--receipt', 'r.json'],
      ...['*.gml', 'b.*', 'token', 'home', 'log*'].flatMap((name) => ['--exclude', name]),
    ],
    check: async (house, { stdout, stderr }) => {
      expect([stdout, stderr]).toEqual([expect.stringMatching(/^models: asset \d+ is complete\.\n$/), '']);
      expect(await namesSent(house)).toEqual(['a.obj']);
      expect(optionsSent(house)).toMatchObject({ inputCrs: 'EPSG:25833', position: [13.4, 52.5, 34] });
      const text = (name: string) => readFile(join(house.folder, name), 'utf8');
      expect(await text('log.1')).toHaveLength(10_000_001);
      expect(await text('log')).toMatch(/^\{.*"msg":"job added"/s);
      expect(JSON.parse(await text('r.json'))).toMatchObject([
        {
          assetId: house.service.control.assets()[0]?.id,
          files: [{ key: 'a.obj', etag: expect.any(String) }],
        },
      ]);
    },
  },
  {
    ...{ option: '--dry-run', does: 'creates nothing and needs no sign-in', signedOut: true },
    args: [...upload, '--dry-run', '--json'],
    check: ({ service }, { stdout }) => {
      expect(jsonLines(stdout)[0]).toMatchObject({ event: 'upload-plan', name: 'city', files: 1 });
      expect(service.control.assets()).toEqual([]);
    },
  },
  {
    option: '--files-from - and --files-from FILE',
    does: 'read paths',
    files: { 'a.obj': triangle, 'b.obj': triangle, list: 'city.gml\r\n' },
    args: ['upload', '--files-from', '-', '--one-each'],
    input: 'a.obj\nb.obj\n',
    check: async (house) => {
      expect(await namesSent(house)).toEqual(['a.obj', 'b.obj']);
      expect((await house.run(['upload', '--files-from', 'list'], {})).code).toBe(0);
      expect(await namesSent(house)).toEqual(['a.obj', 'b.obj', 'city.gml']);
    },
  },
  {
    ...{ option: '--token-file -', does: 'reads the token from standard input', signedOut: true },
    ...{ args: ['sign-in', '--token-file', '-', '--key-file', 'key'], input: token },
    check: async ({ run }) => expect((await run(['assets', 'list'])).code).toBe(0),
  },
  {
    option: '--preset and --verbose',
    does: 'use the options of a preset, which those of --options @FILE override, and print the log',
    files: {
      'presets.json': JSON.stringify({ schemaVersion: 1, presets: [preset] }),
      'options.json': '{"instancing": true}',
    },
    args: [
      ...[...upload, '--preset', 'fine', '--presets-file', 'presets.json', '--options', '@options.json'],
      '--verbose',
    ],
    check: (house, { stderr }) => {
      expect(optionsSent(house)).toMatchObject({
        textureFormat: 'KTX2',
        instancing: true,
        clampToTerrain: true,
      });
      expect(stderr).toContain('"msg":"job added"');
    },
  },
  {
    ...{ option: '--limit-rate', does: 'limits the upload', files: { 'large.obj': triangle.repeat(80_000) } },
    args: ['upload', 'large.obj', '--limit-rate', '1M', '--json'],
    check: (_house, { stdout }) => {
      const lines = jsonLines(stdout).filter(({ event }) => event === 'state');
      const [beginState, endState] = ['uploading', 'completing'].map((state) =>
        Date.parse(String(lines.find(({ status }) => status === state)?.at)),
      );
      expect(Number(endState) - Number(beginState)).toBeGreaterThan(1_000);
    },
  },
  {
    ...{ option: '--client-id', does: 'signs in with this client', signedOut: true, input: '', code: 3 },
    args: ['sign-in', '--client-id', '42', '--key-file', 'key', '--no-browser'],
    check: (_house, { stderr }) => expect(stderr).toContain('client_id=42'),
  },
  {
    ...{ option: '--service', does: 'chooses the service of an access token', signedOut: true },
    env: async (house) => ({ TILELIFT_TOKEN: await token(house), TILELIFT_SERVICE_API: '' }),
    args: [...upload, '--service', 'SERVICE'],
    check: ({ service }) => expect(service.control.assets()).toHaveLength(1),
  },
];

describe('command-line options', () => {
  it.each(rows)(
    '$option $does',
    async ({ files = {}, signedOut, env, args, input = '', code = 0, check }) => {
      const house = await cliHouse();
      await smallCity(house.folder);
      for (const [name, text] of Object.entries(files)) await writeFile(join(house.folder, name), text);
      if (!signedOut) await house.signIn();

      const call = args.map((arg) => (arg === 'SERVICE' ? house.service.baseUrl : arg));
      const { child, ended: commandEnded } = house.start(call, await env?.(house));
      child.stdin.end(typeof input === 'string' ? input : await input(house));
      const result = await commandEnded;

      expect(result).toMatchObject({ code });
      await check(house, result);
    },
  );
});

it('the terminal output shows statuses as words and keeps the line breaks of service messages', async () => {
  const house = await signedInHouse();
  house.service.control.setTiling({ end: 'DATA_ERROR', error: 'No system\nFile: a.gml' });

  const { code, stderr } = await house.run(['upload', await smallCity(house.folder)]);
  const { stdout } = await house.run(['assets', 'list']);

  expect(code).toBe(4);
  expect(stderr).toContain('The service says:\n  No system\n  File: a.gml\n');
  expect(stderr).not.toMatch(/NOT_STARTED|IN_PROGRESS/);
  expect(stdout).toContain('Data error');
});
