import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { aWatchRule } from '../../a-watch-rule.ts';
import { type CliHouse, cliHouse, jsonLines, smallCity } from './run-cli.ts';

/**
 * Starts a service that watches `in` by the rule *Towns*, which holds changes. `settleMs`: as designed by
 * default, because the service learns longer ones from changes after a shorter one.
 */
async function aService(settleMs = ''): Promise<{ readonly house: CliHouse; readonly folder: string }> {
  const house = await cliHouse();
  await house.signIn();
  const folder = join(house.folder, 'in');
  await mkdir(folder);
  const {
    id: _,
    accountId: __,
    on: ___,
    ...rule
  } = aWatchRule({ folder, sourceType: 'CITYGML', name: 'Towns' });
  const rules = join(house.folder, 'rules.json');
  await writeFile(rules, JSON.stringify({ schemaVersion: 1, rules: [{ ...rule, whenChanged: 'hold' }] }));
  const watchCommand = house.start(['watch', '--rules', rules, '--json'], { TILELIFT_SETTLE_MS: settleMs });
  await watchCommand.says('"event":"watching"');
  return { house, folder };
}

/** Replaces a city with another one of the same size. */
async function exchange(path: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('390100', '390200'));
}

/** Waits for this number of sources in a state and returns them. */
async function untilSources(house: CliHouse, state: string, count: number) {
  return vi.waitFor(
    async () => {
      const { stdout } = await house.run(['sources', '--state', state, '--json']);
      const sources = jsonLines(stdout).filter(({ event }) => event === 'source');
      expect(sources).toHaveLength(count);
      return sources;
    },
    { timeout: 60_000, interval: 200 },
  );
}

const assets = ({ service }: CliHouse) => service.control.assets().map(({ name }) => String(name));

describe('tilelift sources', { timeout: 300_000 }, () => {
  it('tilelift sources lists held sources with their reason, and uploads or leaves them on request', async () => {
    const { house, folder } = await aService();
    await smallCity(folder, 'town.gml');
    await smallCity(folder, 'village.gml');
    await untilSources(house, 'complete', 2);
    for (const name of ['town.gml', 'village.gml']) await exchange(join(folder, name));
    const heldSources = await untilSources(house, 'held', 2);
    expect(heldSources.map(({ path }) => path).sort()).toEqual(['town.gml', 'village.gml']);
    expect(heldSources[0]).toMatchObject({
      rule: 'Towns',
      why: expect.stringContaining('changed'),
      choices: ['upload', 'leave'],
    });
    const text = await house.run(['sources', '--state', 'held']);
    expect(text.stdout).toMatch(/^Towns: .*\n {2}held .*\n {4}possible: upload, leave\n/);

    expect(await house.run(['sources', 'upload', 'town.gml', '--rule', 'Towns'])).toMatchObject({ code: 0 });
    expect(await house.run(['sources', 'leave', '--all'])).toMatchObject({ code: 0 });
    await untilSources(house, 'held', 0);
    await vi.waitFor(() => expect(assets(house).sort()).toEqual(['town', 'town', 'village']), {
      timeout: 60_000,
    });
    expect((await house.run(['sources', 'leave', join(folder, 'village.gml')])).code).toBe(2);
    expect((await house.run(['status'])).code).toBe(0);
  });

  it('tilelift sources dismisses failed sources so that status no longer counts them', async () => {
    const { house, folder } = await aService('1000');
    house.service.control.setTiling({ end: 'DATA_ERROR' });
    await smallCity(folder, 'town.gml');
    await untilSources(house, 'failed', 1);
    expect((await house.run(['status'])).code).toBe(8);
    expect(await house.run(['sources', 'dismiss', join(folder, 'town.gml')])).toMatchObject({
      code: 0,
      stdout: 'town.gml: dismiss\n',
    });
    await untilSources(house, 'failed', 0);
    expect((await house.run(['status'])).code).toBe(0);
  });
});
