import { describe, expect, it } from 'vitest';
import { type CliHouse, holdStorage, jsonLines, lastLine, signedInHouse, smallCity } from './run-cli.ts';

/** Several commands share a home folder: the first owns the journal and answers the others. */

async function startUploading(house: CliHouse, name = 'first') {
  const command = house.start(['upload', await smallCity(house.folder, `${name}.gml`), '--json']);
  await command.says('"status":"uploading"');
  return command;
}

describe('commands while an upload runs', () => {
  it('a second upload joins the queue of the first and ends by itself', async () => {
    const house = await signedInHouse();
    holdStorage(house);
    const firstCommand = await startUploading(house);
    const secondCommand = house.start(['upload', await smallCity(house.folder, 'second.gml'), '--json']);
    await secondCommand.says('"event":"upload"');

    house.service.control.clearFaults();

    expect((await firstCommand.ended).code).toBe(0);
    const { code, stdout, stderr } = await secondCommand.ended;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(jsonLines(stdout)[0]).toMatchObject({
      handedOverTo: { owner: 'upload', pid: firstCommand.child.pid },
    });
    expect(lastLine(stdout)).toMatchObject({ jobs: [{ name: 'second', assetStatus: 'COMPLETE' }] });
    expect(house.service.control.assets()).toHaveLength(2);
  });

  it('a second upload continues by itself when the first is killed', async () => {
    const house = await signedInHouse();
    holdStorage(house);
    const firstCommand = await startUploading(house);
    const secondCommand = house.start(['upload', await smallCity(house.folder, 'second.gml'), '--json']);
    await secondCommand.says('"event":"upload"');

    firstCommand.child.kill('SIGKILL');
    house.service.control.clearFaults();

    const { code, stdout } = await secondCommand.ended;
    expect({ code, end: lastLine(stdout) }).toMatchObject({ code: 0, end: { jobs: [{ name: 'second' }] } });
    expect(house.service.control.assets()).toHaveLength(2);
  });

  it('commands while an upload runs: refuses an upload with another access token instead of using the first account', async () => {
    const house = await signedInHouse();
    holdStorage(house);
    await startUploading(house);
    const token = house.service.control.makeAccessToken(['assets:read', 'assets:write']);
    const city = await smallCity(house.folder, 'second.gml');
    const secondCommand = house.start(['upload', city], { TILELIFT_TOKEN: token });
    secondCommand.child.stdin.end();

    const { code, stderr } = await secondCommand.ended;

    expect(code).toBe(2);
    expect(stderr).toContain('another sign-in');
    expect(house.service.control.assets()).toHaveLength(1);
  });
});

it('simultaneous uploads: completes all uploads that start at the same moment', async () => {
  const house = await signedInHouse();
  const names = ['one', 'two', 'three'];
  const cities = await Promise.all(names.map((name) => smallCity(house.folder, `${name}.gml`)));

  const endedRuns = await Promise.all(cities.map((city) => house.run(['upload', city], {})));

  expect(endedRuns).toMatchObject(names.map(() => ({ code: 0 })));
  expect(
    house.service.control
      .assets()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['one', 'three', 'two']);
});

describe('commands while no Tilelift runs', () => {
  it('jobs reads the journal and cancels an interrupted upload', async () => {
    const house = await signedInHouse();
    holdStorage(house);
    const firstCommand = await startUploading(house);
    firstCommand.child.kill('SIGKILL');
    await firstCommand.ended;

    const { code, stdout } = await house.run(['jobs', '--json']);
    const [job] = jsonLines(stdout);
    const cancelled = await house.run(['jobs', 'cancel', String(job?.jobId).slice(0, 8)]);

    expect({ code, job }).toMatchObject({ code: 0, job: { event: 'job', name: 'first' } });
    expect(cancelled).toMatchObject({ code: 0, stdout: expect.stringContaining('Cancelled') });
  });

  it('jobs wait resumes an interrupted upload and waits for its end', async () => {
    const house = await signedInHouse();
    holdStorage(house);
    const firstCommand = await startUploading(house);
    firstCommand.child.kill('SIGKILL');
    await firstCommand.ended;
    house.service.control.clearFaults();

    const { code, stdout } = await house.run(['jobs', 'wait', '--json']);

    expect(code).toBe(0);
    expect(lastLine(stdout)).toMatchObject({ exitCode: 0, jobs: [{ name: 'first', status: 'complete' }] });
  });

  it('jobs wait and assets wait end with 7 after --timeout', async () => {
    const house = await signedInHouse();
    holdStorage(house);
    const firstCommand = await startUploading(house);
    const asset = { name: 'Slow', type: 'TERRAIN', status: 'IN_PROGRESS', percentComplete: 5 };
    const [id] = house.service.control.seed({ assets: [asset] }).assets;

    const waitRun = await house.run(['jobs', 'wait', '--timeout', '1s', '--json']);
    const asked = await house.run(['assets', 'wait', String(id), '--timeout', '1']);
    firstCommand.child.kill('SIGKILL');
    await firstCommand.ended;
    const loneRun = await house.run(['jobs', 'wait', '--timeout', '0.02m', '--json']);

    expect(waitRun.code).toBe(7);
    expect(lastLine(waitRun.stdout)).toMatchObject({
      exitCode: 7,
      jobs: [{ name: 'first', resumable: true }],
    });
    expect(asked).toMatchObject({ code: 7, stderr: expect.stringContaining('Stopped.') });
    expect(loneRun.code).toBe(7);
    expect(lastLine(loneRun.stdout)).toMatchObject({ exitCode: 7 });
    for (const invalidTimeout of ['0', '9d', 'soon'])
      expect(await house.run(['jobs', 'wait', '--timeout', invalidTimeout])).toMatchObject({ code: 2 });
    expect(await house.run(['jobs', '--timeout', '5s'])).toMatchObject({ code: 2 });
  });
});

it('tilelift assets wait doesn’t prevent an upload from starting', async () => {
  const house = await signedInHouse();
  const asset = { name: 'Slow', type: 'TERRAIN', status: 'IN_PROGRESS', percentComplete: 5 };
  const [id] = house.service.control.seed({ assets: [asset] }).assets;
  const waitCommand = house.start(['assets', 'wait', String(id), '--json']);
  await waitCommand.says('asset-progress');

  const { code } = await house.run(['upload', await smallCity(house.folder), '--no-wait']);

  expect(code).toBe(0);
  expect(waitCommand.child.exitCode).toBe(null);
});
