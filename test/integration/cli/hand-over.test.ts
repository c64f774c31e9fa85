import { createHash } from 'node:crypto';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonLineSchema } from '../../../main/cli/json-lines.ts';
import { openJournal } from '../../../main/jobs/journal/journal.ts';
import {
  type CliHouse,
  cliHouse,
  holdStorage,
  jsonLines,
  lastLine,
  signedInHouse,
  smallCity,
  startCommand,
} from './run-cli.ts';

/** Commands work through `tilelift watch` while it owns the journal. */

async function watched(prepare: (house: CliHouse) => Promise<void> = async () => {}) {
  const house = await signedInHouse();
  await prepare(house);
  const rules = join(house.folder, 'rules.json');
  await writeFile(rules, '{"schemaVersion": 1, "rules": []}');
  const watchCommand = house.start(['watch', '--rules', rules, '--json']);
  await watchCommand.says('"event":"watching"');
  return { house, watching: watchCommand };
}

const statusOf = async (house: CliHouse) => {
  const [job] = jsonLines((await house.run(['jobs', '--json'])).stdout);
  return job?.status;
};
it('tilelift upload while a service runs hands the job over and follows it to the same result, byte for byte', {
  timeout: 300_000,
}, async () => {
  const { house, watching: watchCommand } = await watched();
  const city = await smallCity(house.folder, 'city.gml', 9 * 1024 * 1024);

  const { code, stdout, stderr } = await house.run(['upload', city, '--check', '--json']);

  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining(`to the running service (process ${watchCommand.child.pid})`),
  });
  const lines = jsonLines(stdout);
  for (const line of lines) expect(jsonLineSchema.safeParse(line).error).toBe(undefined);
  const events = [...new Set(lines.map(({ event }) => event))];
  expect(events).toEqual(['check', 'upload', 'state', 'progress', 'result']);
  expect(lines.find(({ event }) => event === 'upload')).toMatchObject({
    ...{ continued: false, files: 1, handedOverTo: { owner: 'watch', pid: watchCommand.child.pid } },
  });
  const [asset] = house.service.control.assets();
  expect(lastLine(stdout)).toMatchObject({
    exitCode: 0,
    jobs: [{ status: 'complete', assetId: asset?.id, assetStatus: 'COMPLETE', resumable: false }],
  });
  const sha256 = createHash('sha256')
    .update(await readFile(city))
    .digest('hex');
  const objects = await house.service.control.objects(`sources/${asset?.id}/`);
  expect(objects).toEqual([expect.objectContaining({ sha256 })]);

  const secondRun = await house.run(['upload', city]);
  expect(secondRun).toMatchObject({ code: 0, stdout: `city: asset ${asset?.id} is complete.\n` });
  expect(house.service.control.assets()).toHaveLength(1);
  expect(await statusOf(house)).toBe('complete');
});

it.skipIf(process.platform === 'win32')(
  'tilelift upload while a service runs stops following at Ctrl+C while the upload continues, and follows it when called again',
  { timeout: 300_000 },
  async () => {
    const { house } = await watched();
    holdStorage(house);
    const city = await smallCity(house.folder);
    const following = house.start(['upload', city, '--json']);
    await following.says('"status":"uploading"');

    following.child.kill('SIGINT');
    const stoppedRun = await following.ended;

    expect(stoppedRun.code).toBe(130);
    const [, id] = /tilelift jobs cancel (\w{8}) --home \S+/.exec(stoppedRun.stderr) ?? [];
    expect(lastLine(stoppedRun.stdout)).toMatchObject({ exitCode: 130, jobs: [{ resumable: true }] });
    expect(await statusOf(house)).toBe('uploading');

    const secondCommand = house.start(['upload', city, '--json']);
    await secondCommand.says('"status":"uploading"');
    house.service.control.clearFaults();
    const { code, stdout } = await secondCommand.ended;
    expect(code).toBe(0);
    expect(jsonLines(stdout)[0]).toMatchObject({ event: 'upload', continued: true });
    expect(String(jsonLines(stdout)[0]?.jobId).slice(0, 8)).toBe(id);
    expect(house.service.control.assets()).toHaveLength(1);
  },
);

it('tilelift upload while a service runs exits with 7 and says how the upload resumes if the service is killed', {
  timeout: 300_000,
}, async () => {
  const { house, watching: watchCommand } = await watched();
  holdStorage(house);
  const city = await smallCity(house.folder);
  const following = house.start(['upload', city, '--json']);
  await following.says('"status":"uploading"');

  watchCommand.child.kill('SIGKILL');
  const lostRun = await following.ended;
  house.service.control.clearFaults();
  // Without a service, the command resumes the upload itself.
  const { code } = await house.run(['upload', city]);

  expect(lostRun.code).toBe(7);
  expect(lostRun.stderr).toContain('they resume when it starts again');
  expect(lastLine(lostRun.stdout)).toMatchObject({
    exitCode: 7,
    jobs: [{ resumable: true, exitCode: 7, error: { code: 'socket-lost' } }],
  });
  expect(code).toBe(0);
  expect(house.service.control.assets()).toHaveLength(1);
});

it('tilelift upload while a service runs returns with --no-wait once the job is in the journal', {
  timeout: 300_000,
}, async () => {
  const { house } = await watched();
  holdStorage(house);
  const { code, stdout } = await house.run(['upload', await smallCity(house.folder), '--no-wait']);

  expect(code).toBe(0);
  expect(stdout).toMatch(/^city: handed over as job \w{8}\.\n$/);
  expect(await statusOf(house)).toMatch(/queued|creating|uploading/);
});

it('tilelift upload while a service runs holds an upload that may outlive its credentials until the user accepts it', {
  timeout: 300_000,
}, async () => {
  const { house } = await watched(async ({ run, home }) => {
    const [account] = jsonLines((await run(['accounts', '--json'])).stdout);
    const journal = openJournal(join(home, 'journal.db'));
    // A slow previous upload lengthens the forecast.
    journal.addSpeed(String(account?.accountId), { bytes: 1_000_000, files: 0, ms: 5_000 });
    journal.close();
  });
  holdStorage(house);
  const large = await smallCity(house.folder, 'large.gml');
  await truncate(large, 2_000_000_000);

  const { code, stdout, stderr } = await house.run(['upload', large, '--json']);
  expect(code).toBe(8);
  expect(stderr).toContain('--accept-forecast');
  expect(jsonLines(stdout)[0]).toMatchObject({ forecast: { shareOfLife: expect.any(Number) } });
  const acceptedCommand = house.start(['upload', large, '--accept-forecast', '--json']);
  await acceptedCommand.says('"status":"uploading"');
  const jobs = jsonLines((await house.run(['jobs', '--json'])).stdout);
  expect(jobs.filter(({ event }) => event === 'job')).toMatchObject([{ status: 'uploading' }]);
});

it('tilelift upload while a service runs obeys jobs pause, resume and cancel from another terminal', {
  timeout: 300_000,
}, async () => {
  const { house } = await watched();
  holdStorage(house);
  const city = await smallCity(house.folder);
  const firstCommand = house.start(['upload', city, '--json']);
  const [, id = ''] = /"jobId":"([^"]+)"/.exec(await firstCommand.says('"status":"uploading"')) ?? [];
  const runAction = (action: string) => house.run(['jobs', action, id.slice(0, 8)]);

  expect(await runAction('pause')).toMatchObject({ code: 0, stdout: expect.stringContaining('Paused') });
  const pausedRun = await firstCommand.ended;
  expect(pausedRun.code).toBe(8);
  expect(pausedRun.stderr).toContain('the job was paused or cancelled');
  expect((await runAction('resume')).code).toBe(0);
  const secondCommand = house.start(['upload', city, '--json']);
  await secondCommand.says('"status":"uploading"');
  expect(await runAction('cancel')).toMatchObject({ code: 0, stdout: expect.stringContaining('Cancelled') });
  expect((await secondCommand.ended).code).toBe(8);
  house.service.control.clearFaults();
  const retryRun = await runAction('retry');
  expect(retryRun.code).toBe(0);
  const listedJobs = jsonLines((await house.run(['jobs', '--json'])).stdout);
  expect(listedJobs.filter(({ event }) => event === 'job')).toHaveLength(2);
});

describe.skipIf(process.platform !== 'linux')('tilelift upload without --home', () => {
  it('tilelift upload without --home uses the desktop’s account unless the command has its own sign-in', {
    timeout: 300_000,
  }, async () => {
    const house = await cliHouse();
    // Any process that owns the desktop’s journal works here.
    const desktop = join(house.folder, '.config', 'Tilelift');
    const rules = join(house.folder, 'rules.json');
    await writeFile(rules, '{"schemaVersion": 1, "rules": []}');
    const token = (await readFile(house.tokenFile, 'utf8')).trim();
    const holder = house.start(['watch', '--rules', rules, '--json'], { TILELIFT_TOKEN: token }, desktop);
    await holder.says('"event":"watching"');
    const city = await smallCity(house.folder);
    const addresses = {
      ...{ TILELIFT_SERVICE_API: house.service.baseUrl, TILELIFT_SERVICE_SIGN_IN: house.service.authUrl },
    };
    const upload = async (env: Readonly<Record<string, string>>) => {
      const { child, ended: commandEnded } = startCommand(['upload', city, '--json'], house.folder, env);
      child.stdin.end();
      const { code, stdout } = await commandEnded;
      return { code, begun: jsonLines(stdout).find(({ event }) => event === 'upload') };
    };

    const handedOver = await upload({});
    expect(handedOver).toMatchObject({ code: 0, begun: { handedOverTo: { pid: holder.child.pid } } });
    const ownUpload = await upload({ ...addresses, TILELIFT_TOKEN: token });
    expect(ownUpload).toMatchObject({ code: 0, begun: { continued: false } });
    expect(ownUpload.begun).not.toHaveProperty('handedOverTo');
    const otherUpload = await upload({ TILELIFT_HOME: join(house.folder, 'elsewhere') });
    expect(otherUpload).toEqual({ code: 3, begun: undefined });
  });
});

it('other commands while a service runs: answers through the service, or names the process that owns the journal', {
  timeout: 300_000,
}, async () => {
  const { house, watching: watchCommand } = await watched();
  const [id = 0] = house.service.control.seed({ assets: [{ name: 'Hills', type: 'TERRAIN' }] }).assets;

  const accounts = await house.run(['accounts', '--json']);
  expect(jsonLines(accounts.stdout)[0]).toMatchObject({
    ...{ event: 'account', service: house.service.baseUrl, signedInBy: 'access-token', current: true },
  });
  expect((await house.run(['assets', 'list', '--status', 'complete'])).stdout).toContain('Hills');
  expect((await house.run(['assets', 'get', String(id)])).stdout).toContain('Hills');
  expect((await house.run(['assets', 'wait', String(id)])).code).toBe(0);
  expect((await house.run(['assets', 'get', '999999'])).code).toBe(2);
  expect(await house.run(['receipts', 'export'])).toMatchObject({
    ...{ code: 0, stdout: expect.stringMatching(/^"rule"/) },
  });
  expect((await house.run(['rules', 'export'])).code).toBe(2);

  for (const call of [['sign-in', '--token-file', house.tokenFile], ['sign-out'], ['watch']]) {
    const { code, stderr } = await house.run(call);
    expect({ call, code, stderr }).toMatchObject({
      code: 7,
      stderr: expect.stringMatching(new RegExp(`process ${watchCommand.child.pid}.*(?:quit|stop) it`, 's')),
    });
  }
});
