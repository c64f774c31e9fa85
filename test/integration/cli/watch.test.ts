import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { aWatchRule } from '../../a-watch-rule.ts';
import { type CliHouse, cliHouse, jsonLines, lastLine, signedInHouse, smallCity } from './run-cli.ts';

/** Returns a rule as users write it: without ID, account and switch. */
function ruleOn(folder: string, change: object = {}) {
  const { id: _, accountId: __, on: ___, ...rule } = aWatchRule({ folder, sourceType: 'CITYGML' });
  return { ...rule, ...change };
}

async function writeRules(
  house: CliHouse,
  rules: readonly object[],
  extraFields: object = {},
): Promise<string> {
  const path = join(house.folder, 'rules.json');
  await writeFile(`${path}.new`, JSON.stringify({ schemaVersion: 1, rules, ...extraFields }, null, 2));
  await rename(`${path}.new`, path);
  return path;
}

async function inbox(house: CliHouse, name = 'in'): Promise<string> {
  const folder = join(house.folder, name);
  await mkdir(folder, { recursive: true });
  return folder;
}

const names = (house: CliHouse) => house.service.control.assets().map(({ name }) => String(name));

it('tilelift watch uploads new data, answers other commands, and stops cleanly', {
  timeout: 300_000,
}, async () => {
  const house = await signedInHouse();
  const folder = await inbox(house);
  const rules = await writeRules(house, [ruleOn(folder)]);
  const watchCommand = house.start(['watch', '--rules', rules, '--json']);
  await watchCommand.says('"event":"watching"');
  await smallCity(folder, 'town.gml');
  await watchCommand.says('"event":"source-ended"');
  expect(names(house)).toEqual(['town']);

  const status = await house.run(['status', '--json']);
  expect(jsonLines(status.stdout)[0]).toMatchObject({
    event: 'status',
    owner: 'watch',
    pid: watchCommand.child.pid,
    health: 'healthy',
    jobs: { complete: 1 },
    folders: [{ folder, state: 'watching', counts: { complete: 1 } }],
  });
  expect(status.code).toBe(0);
  expect((await house.run(['status'])).stdout).toMatch(/^Healthy .*\n0 under way, 0 queued\nLast complete/);

  const listRun = await house.run(['jobs', '--json']);
  const [job] = jsonLines(listRun.stdout);
  expect(job).toMatchObject({ event: 'job', name: 'town', status: 'complete' });
  const refusedRun = await house.run(['jobs', 'pause', String(job?.jobId).slice(0, 6)]);
  expect(refusedRun.stdout).toContain('nothing was changed');
  expect(refusedRun.code).toBe(2);
  expect((await house.run(['jobs', 'pause', 'nobody'])).code).toBe(2);

  watchCommand.child.kill('SIGTERM');
  const endedRun = await watchCommand.ended;
  expect(endedRun.code).toBe(143);
  expect(lastLine(endedRun.stdout)).toMatchObject({ event: 'result', exitCode: 143 });
  for (const line of jsonLines(endedRun.stderr)) expect(line).toMatchObject({ level: expect.any(Number) });
  const signedOutStatus = await house.run(['status', '--json']);
  expect(signedOutStatus.code).toBe(7);
  expect(jsonLines(signedOutStatus.stdout)[0]).toMatchObject({ error: { code: 'nothing-runs' } });
});

it('tilelift watch applies a changed rules file, and keeps the old rules if it is faulty', {
  timeout: 300_000,
}, async () => {
  const house = await signedInHouse();
  const [firstInbox, secondInbox] = [await inbox(house, 'first'), await inbox(house, 'second')];
  const rules = await writeRules(house, [ruleOn(firstInbox, { name: 'First' })]);
  const watchCommand = house.start(['watch', '--rules', rules, '--json']);
  await watchCommand.says('"event":"watching"');
  const folders = async () => {
    const { stdout } = await house.run(['status', '--json']);
    const [status] = jsonLines(stdout) as [{ folders: readonly { name: string }[] }];
    return status.folders.map(({ name }) => name);
  };

  await writeFile(rules, '{"schemaVersion": 1,\n "rules": [{"name": 5}]}');
  const output = await watchCommand.says('"event":"rules-refused"');
  expect(output).toContain('"field":"rules[0].name"');
  expect(await folders()).toEqual(['First']);

  await writeRules(house, [ruleOn(secondInbox, { name: 'Second' })], {
    limits: { limit: 5e6, timetable: [] },
  });
  await watchCommand.says('"event":"rules-changed"');
  expect(await folders()).toEqual(['Second']);
  const settings = JSON.parse(await readFile(join(house.home, 'settings.json'), 'utf8'));
  expect(settings.bandwidth.limit).toBe(5e6);
  await smallCity(secondInbox, 'town.gml');
  await watchCommand.says('"event":"source-ended"');
  expect(names(house)).toEqual(['town']);
});

it('tilelift watch signs in with only a token if the file names the service', {
  timeout: 120_000,
}, async () => {
  const house = await cliHouse();
  const { baseUrl, authUrl } = house.service;
  const services = [{ name: 'Office', baseUrl, authUrl }];
  const rules = await writeRules(house, [ruleOn(await inbox(house))], { services });
  const env = { TILELIFT_SERVICE_API: '', TILELIFT_TOKEN: (await readFile(house.tokenFile, 'utf8')).trim() };
  const watchCommand = house.start(['watch', '--rules', rules, '--json'], env);
  await watchCommand.says('"event":"watching"');
  const { code, stdout } = await house.run(['status', '--json']);
  expect(jsonLines(stdout)[0]).toMatchObject({ accounts: [{ service: baseUrl }] });
  expect(code).toBe(0);
  watchCommand.child.kill('SIGTERM');
  expect((await watchCommand.ended).code).toBe(143);
});

it('tilelift watch uploads only with the account that a rule names, and continues once it signs in', {
  timeout: 600_000,
}, async () => {
  const house = await cliHouse({ accountName: 'Office', furtherAccounts: ['Crew'] });
  const keyFile = ['--key-file', join(house.folder, 'key')];
  const signIn = async (name: string) => {
    const token = join(house.folder, `token of ${name}`);
    const scopes = ['assets:list', 'assets:read', 'assets:write'];
    await writeFile(token, house.service.control.makeAccessToken(scopes), { mode: 0o600 });
    const { code, stdout } = await house.run([
      ...['sign-in', '--account', name, '--token-file', token, ...keyFile, '--json'],
    ]);
    expect(code).toBe(0);
    return String(lastLine(stdout)?.accountId);
  };
  await signIn('Office');
  const crewId = await signIn('Crew');
  expect((await house.run(['sign-out', '--account', 'Crew'])).code).toBe(0);
  const [crew, typo] = [await inbox(house, 'crew'), await inbox(house, 'typo')];
  const rules = await writeRules(house, [
    ruleOn(crew, { name: 'Crew', accountId: crewId }),
    ruleOn(typo, { name: 'Typo', accountId: 'cerw' }),
  ]);
  const firstCommand = house.start(['watch', '--rules', rules, '--json', '--metrics', '127.0.0.1:0']);
  const output = await firstCommand.says('"event":"watching"');
  for (const folder of [crew, typo]) await smallCity(folder, 'town.gml');
  const folders = async () => {
    const { code, stdout } = await house.run(['status', '--json']);
    const [status] = jsonLines(stdout) as [{ folders: readonly Record<string, unknown>[] }];
    return { code, ...status };
  };
  const waitingConcern = (name: string, accountId: string, subject: string) => ({
    ...{ name, accountId, counts: { underWay: 1, complete: 0 } },
    notice: { code: 'watch-account-missing', subject },
  });
  await vi.waitFor(
    async () =>
      expect(await folders()).toMatchObject({
        code: 3,
        health: 'failing',
        concerns: expect.arrayContaining([expect.objectContaining({ kind: 'signed-out' })]),
        folders: [waitingConcern('Crew', crewId, 'Crew'), waitingConcern('Typo', 'cerw', 'cerw')],
      }),
    { timeout: 300_000, interval: 2_000 },
  );
  expect((await house.run(['status'])).stdout).toContain('Waiting for account cerw.');
  const [, address = ''] = /"event":"metrics","address":"([^"]+)"/.exec(output) ?? [];
  expect(await (await fetch(address)).text()).toContain('tilelift_healthy 0\n');
  expect(names(house)).toEqual([]);
  firstCommand.child.kill('SIGTERM');
  await firstCommand.ended;

  expect(await signIn('Crew')).toBe(crewId);
  const secondCommand = house.start(['watch', '--rules', rules, '--json']);
  await secondCommand.says('"event":"source-ended"');
  expect(names(house)).toEqual(['town']);
  expect((await folders()).folders).toMatchObject([
    { name: 'Crew', notice: null, counts: { complete: 1 } },
    waitingConcern('Typo', 'cerw', 'cerw'),
  ]);
});

it('tilelift watch reports problems of a rules file by line and field before it starts', async () => {
  const house = await cliHouse();
  const rules = join(house.folder, 'rules.json');
  await writeFile(rules, '{\n  "schemaVersion": 1,\n  "rules": [],\n  "limit": 3\n}\n');
  const { code, stderr } = await house.run(['watch', '--rules', rules]);
  expect(stderr).toBe(
    `Line 4, column 3: limit is unknown\nThe file ${rules} can’t be used. Correct the problems above.\n`,
  );
  expect(code).toBe(2);
  expect((await house.run(['watch', '--rules', join(house.folder, 'none')])).code).toBe(2);
  const unsigned = await house.run(['watch', '--rules', await writeRules(house, [])]);
  expect(unsigned.code).toBe(3);
});

it('tilelift watch lists the sources of each rule with --dry-run, and creates nothing', async () => {
  const house = await cliHouse();
  const folder = await inbox(house);
  await smallCity(folder, 'town.gml');
  await mkdir(join(folder, 'Church'));
  await writeFile(join(folder, 'Church/church.obj'), 'v 0 0 0\n');
  const rules = await writeRules(house, [
    ruleOn(folder),
    ruleOn(join(house.folder, 'gone'), { name: 'Gone' }),
  ]);
  const { code, stdout, stderr } = await house.run(['watch', '--rules', rules, '--dry-run']);
  const reason = 'The kind of data is 3D model, but the rule expects CityGML: church.obj.';
  expect(stdout).toMatch(/^Drone landings: .*: 1 source would be uploaded, 0 known already\n/);
  expect(stdout.split('\n').slice(1, 3)).toEqual([
    `  Church: would be held. ${reason}`,
    expect.stringMatching(/^ {2}town\.gml → town /),
  ]);
  expect(stderr).toMatch(/^Gone: /);
  expect(code).toBe(2);
  expect(house.service.control.assets()).toEqual([]);
});

it('tilelift watch under systemd notifies systemd when it is ready, alive and stopping', {
  timeout: 120_000,
}, async () => {
  const house = await signedInHouse();
  const [programs, outputFile] = [join(house.folder, 'bin'), join(house.folder, 'said')];
  await mkdir(programs);
  await writeFile(
    join(programs, 'systemd-notify'),
    `#!/bin/sh\necho "$@" $TILELIFT_TOKEN >> ${outputFile}\n`,
  );
  await chmod(join(programs, 'systemd-notify'), 0o755);
  const rules = await writeRules(house, [ruleOn(await inbox(house))]);
  const watchCommand = house.start(['watch', '--rules', rules, '--json'], {
    ...{ NOTIFY_SOCKET: '/run/none', WATCHDOG_USEC: '400000' },
    TILELIFT_TOKEN: await readFile(house.tokenFile, 'utf8'),
    PATH: `${programs}:${process.env.PATH}`,
  });
  await watchCommand.says('"event":"watching"');
  const lines = async () => (await readFile(outputFile, 'utf8')).trim().split('\n');
  await vi.waitFor(async () => expect(new Set(await lines())).toEqual(new Set(['--ready', 'WATCHDOG=1'])));
  watchCommand.child.kill('SIGTERM');
  expect((await watchCommand.ended).code).toBe(143);
  await vi.waitFor(async () => expect(await lines()).toContain('--stopping'));
});

it('tilelift watch --metrics serves metrics only to this computer', { timeout: 120_000 }, async () => {
  const house = await signedInHouse();
  const rules = await writeRules(house, [ruleOn(await inbox(house))]);
  expect((await house.run(['watch', '--metrics', '0.0.0.0:9464'])).code).toBe(2);
  const watchCommand = house.start(['watch', '--rules', rules, '--metrics', '127.0.0.1:0', '--json']);
  const output = await watchCommand.says('"event":"watching"');
  const [, address = ''] = /"event":"metrics","address":"([^"]+)"/.exec(output) ?? [];
  const answer = await fetch(address);
  expect(answer.headers.get('content-type')).toContain('application/openmetrics-text');
  expect(await answer.text()).toMatch(/tilelift_healthy 1\n.*# EOF\n$/s);
  expect((await fetch(new URL('/', address))).status).toBe(404);
  expect((await fetch(address, { method: 'POST' })).status).toBe(405);
  const takeRun = await house.run(
    ['watch', '--rules', rules, '--metrics', `127.0.0.1:${new URL(address).port}`],
    {},
  );
  expect([2, 7]).toContain(takeRun.code);
  watchCommand.child.kill('SIGTERM');
  expect((await watchCommand.ended).code).toBe(143);
  await expect(fetch(address)).rejects.toThrow();
});
