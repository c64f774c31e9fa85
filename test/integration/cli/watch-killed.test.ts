import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { jpeg } from '../../../tools/soak/desk.ts';
import { type ExpectedSource, manifestOf } from '../../../tools/soak/expected.ts';
import { assetsOf, isFlawless, scoreOf } from '../../../tools/soak/score.ts';
import { Supervisor } from '../../../tools/soak/supervisor.ts';
import { aWatchRule } from '../../a-watch-rule.ts';
import { signedInHouse } from './run-cli.ts';

/** Larger than a part, so that a kill interrupts an upload. */
const largeBytes = 10 * 1024 * 1024;

/** Too many files to send at once, so that the next asset is not created meanwhile. */
const filesOfSource = 40;

/** Shortens `npm run soak -- --service` to one kill at each step. */
it('tilelift watch uploads each source once and completely despite a SIGKILL at each step', {
  timeout: 300_000,
}, async () => {
  const house = await signedInHouse();
  const folder = join(house.folder, 'in');
  await mkdir(folder);
  const { accountId: _, ...rule } = aWatchRule({ folder });
  const rules = join(house.folder, 'rules.json');
  await writeFile(rules, JSON.stringify({ schemaVersion: 1, rules: [rule] }));
  const expected: ExpectedSource[] = [];
  for (const [name, bytes] of [
    ['Kai_1', 3_000],
    ['Kai_2', largeBytes],
    ['Kai_3', 700_000],
    ['Kai_4', 100],
    ['Kai_5', 40_000],
  ] as const) {
    const files = new Map(
      Array.from({ length: filesOfSource }, (_, index) => [
        `DJI_${index}.jpg`,
        jpeg({ bytes: randomBytes }, index === 0 ? bytes : 2_000 + index),
      ]),
    );
    await mkdir(join(folder, name));
    for (const [key, content] of files) await writeFile(join(folder, name, key), content);
    expected.push({ name, versions: [manifestOf(files)] });
  }
  const { control, baseUrl, authUrl } = house.service;
  const complete = () => control.assets().filter(({ status }) => status === 'COMPLETE').length;
  const countHeld = (room: 'api' | 'storage') =>
    control
      .requests()
      .filter((request) => request.room === room && request.fault === 'hold' && request.status === 0).length;
  const args = ['watch', '--rules', rules, '--take-existing', '--home', house.home];
  const supervisor = new Supervisor(args, {
    ...process.env,
    ...{ TILELIFT_SERVICE_API: baseUrl, TILELIFT_SERVICE_SIGN_IN: authUrl },
    ...{ TILELIFT_POLL_MS: '100', TILELIFT_SETTLE_MS: '1000' },
  });
  try {
    // No kill interrupts the creation of an asset: without a response, it would remain by contract.
    const steps = [
      { until: () => existsSync(join(house.home, 'journal.db')) },
      { held: { room: 'storage', method: 'PUT' }, until: () => countHeld('storage') > 0 },
      { held: { room: 'api', path: '/uploadComplete' }, until: () => countHeld('api') === expected.length },
      { until: () => complete() > 0 },
    ] as const;
    for (const { until: isReached, ...step } of steps) {
      control.clearFaults();
      if ('held' in step)
        control.addFault({ match: { ...step.held, times: 1_000 }, action: { kind: 'hold' } });
      await expect.poll(isReached, { interval: 20, timeout: 120_000 }).toBe(true);
      supervisor.kill();
    }
    await expect.poll(complete, { timeout: 240_000 }).toBe(expected.length);
    expect(supervisor.kills).toBe(steps.length);
    supervisor.checkAlive();
  } finally {
    await supervisor.stop();
  }

  const printedTexts: string[] = [];
  const score = scoreOf(expected, await assetsOf(control), (text) => printedTexts.push(text));
  expect(printedTexts).toEqual([]);
  expect(score).toMatchObject({ sources: expected.length, assets: expected.length, assetsPerSource: 1 });
  expect(isFlawless(score)).toBe(true);
});
