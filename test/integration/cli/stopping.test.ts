import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { cliHouse, holdStorage, jsonLines, lastLine, script, signedInHouse, smallCity } from './run-cli.ts';

/** One signal stops a command cleanly; a second one ends it at once. */

describe.skipIf(process.platform === 'win32')('signals to tilelift', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s cleanly stops a command whose service doesn’t answer: %i', async (signal, code) => {
    const house = await cliHouse();
    house.service.control.addFault({
      match: { room: 'api', method: 'GET', times: 100 },
      action: { kind: 'hold' },
    });
    const signingIn = house.start(['sign-in', '--token-file', house.tokenFile, '--json']);
    await vi.waitFor(() => expect(house.service.control.requests()).not.toEqual([]), { timeout: 60_000 });

    signingIn.child.kill(signal);
    const endedRun = await signingIn.ended;

    expect(endedRun).toMatchObject({ code, stderr: 'Stopped.\n' });
    expect(jsonLines(endedRun.stdout)).toEqual([
      expect.objectContaining({ event: 'result', exitCode: code }),
    ]);
  });

  it('a second signal ends a blocked command at once', { timeout: 120_000 }, async () => {
    const house = await signedInHouse();
    const name = 'x'.repeat(5_000);
    house.service.control.seed({ assets: Array.from({ length: 100 }, () => ({ name, type: 'IMAGERY' })) });
    // The command blocks, since it prints more than an unread pipe holds.
    const child = spawn(process.execPath, [script, 'assets', '--home', house.home], {
      env: { PATH: process.env.PATH, HOME: house.folder },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    const childExited = once(child, 'exit');
    await once(child.stdout, 'readable');

    child.kill('SIGINT');
    const repeatSignal = setInterval(() => child.kill('SIGINT'), 50);
    onTestFinished(() => clearInterval(repeatSignal));

    expect((await childExited)[0]).toBe(130);
  });

  it('signals to tilelift: says how to resume each of several uploads', { timeout: 120_000 }, async () => {
    const house = await signedInHouse();
    holdStorage(house);
    const paths = [await smallCity(house.folder, 'north.gml'), await smallCity(house.folder, 'south.gml')];
    const running = house.start(['upload', ...paths, '--one-each', '--json']);
    await running.says('"status":"uploading"');

    running.child.kill('SIGINT');
    const { code, stdout, stderr } = await running.ended;
    house.service.control.clearFaults();
    const secondRun = await house.run(['upload', ...paths, '--one-each']);

    expect(code).toBe(130);
    expect(stderr.match(/Run the same command again to resume\./g)).toHaveLength(2);
    expect(lastLine(stdout)).toMatchObject({
      exitCode: 130,
      jobs: [{ resumable: true }, { resumable: true }],
    });
    expect(secondRun.code).toBe(0);
    const createdNames = house.service.control.assets().map((asset) => String(asset.name));
    expect(createdNames.sort()).toEqual(['north', 'south']);
  });
});
