import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../../main/cli/exit-codes.ts';
import { openJournal } from '../../../main/jobs/journal/journal.ts';
import { jsonLines, lastLine, signedInHouse, smallCity } from './run-cli.ts';

/** These tests produce every exit code and check the last JSON line. */

describe('exit codes of tilelift upload', () => {
  it.each([
    ['DATA_ERROR', exitCodes.dataError],
    ['ERROR', exitCodes.tilingError],
  ] as const)('C37: exits after tiling that ends with %s: %i', async (end, expected) => {
    const house = await signedInHouse();
    house.service.control.setTiling({ end, error: 'No coordinate reference system found' });
    const city = await smallCity(house.folder);

    const { code, stdout, stderr } = await house.run(['upload', city, '--json']);

    expect(code).toBe(expected);
    expect(stderr).toContain('No coordinate reference system found');
    const { jobs } = lastLine(stdout) as { jobs: unknown[] };
    expect(jobs).toEqual([
      expect.objectContaining({ assetStatus: end, exitCode: expected, resumable: false }),
    ]);
  });

  it('exits with 6 if the storage credentials expire', async () => {
    const house = await signedInHouse({ uploadCredentialSeconds: 1 });
    house.service.control.addFault({
      match: { room: 'storage', method: 'PUT' },
      action: { kind: 'delay', ms: 1_500 },
    });
    const city = await smallCity(house.folder);

    const { code, stdout } = await house.run(['upload', city, '--json']);

    expect(code).toBe(exitCodes.expired);
    expect(lastLine(stdout)).toMatchObject({ exitCode: 6 });
  });

  it('exits with 7 if the service doesn’t respond, and the same command resumes', async () => {
    const house = await signedInHouse();
    house.service.control.addFault({
      match: { room: 'api', method: 'POST', times: 1_000 },
      action: { kind: 'status', status: 503 },
    });
    const city = await smallCity(house.folder);

    const { code, stdout } = await house.run(['upload', city, '--give-up-after', '0.02', '--json']);
    house.service.control.clearFaults();
    const secondRun = await house.run(['upload', city]);

    expect(code).toBe(exitCodes.givenUp);
    const { jobs } = lastLine(stdout) as { jobs: unknown[] };
    expect(jobs).toEqual([expect.objectContaining({ resumable: true, exitCode: 7 })]);
    expect(secondRun.code).toBe(exitCodes.complete);
    expect(house.service.control.assets()).toHaveLength(1);
  });

  it('exits with 9 if the service offers no storage, and explains it', async () => {
    const house = await signedInHouse();
    house.service.control.addFault({
      match: { room: 'api', method: 'POST', path: '/v1/assets$' },
      action: { kind: 'edit-answer', body: ['"bucket"', '"kettle"'] },
    });
    const city = await smallCity(house.folder);

    const { code, stderr, stdout } = await house.run(['upload', city, '--json']);

    expect(code).toBe(exitCodes.serviceUnusable);
    expect(lastLine(stdout)).toMatchObject({ exitCode: 9 });
    expect(stderr).toContain('S3-compatible storage');
    expect(stderr).not.toContain('The service says');
    expect(await house.service.control.objects()).toEqual([]);
  });

  it('exits with 8 if the upload may outlive its credentials', async () => {
    const house = await signedInHouse();
    const accounts = jsonLines((await house.run(['accounts', '--json'])).stdout);
    const journal = openJournal(join(house.home, 'journal.db'));
    // A slow previous upload lengthens the forecast.
    journal.addSpeed(String(accounts[0]?.accountId), { bytes: 1_000_000, files: 0, ms: 5_000 });
    journal.close();
    const large = await smallCity(house.folder, 'large.gml');
    await truncate(large, 2_000_000_000);

    const { code, stdout, stderr } = await house.run(['upload', large, '--json']);

    expect(code).toBe(exitCodes.heldForPerson);
    expect(stderr).toContain('--accept-forecast');
    expect(lastLine(stdout)).toMatchObject({ exitCode: 8 });
  });
});
