import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../../main/cli/commands/status.ts';
import { desktopHome } from '../../../main/cli/running.ts';
import { rulesSchemaText } from '../../../main/cli/watch/new-rules-file.ts';
import { parseServiceFile } from '../../../main/cli/watch/service-file.ts';
import { watchdogMs } from '../../../main/cli/watch/service-manager.ts';
import { rulesFileText } from '../../../main/watch/rules/rules-file.ts';
import { aWatchRule } from '../../a-watch-rule.ts';

const { id: _, accountId: __, on: ___, ...plain } = aWatchRule({ folder: '/srv/in' });
const file = (change: object = {}) =>
  JSON.stringify({ schemaVersion: 1, rules: [plain], ...change }, null, 2);

it('parseServiceFile() matches the published JSON Schema, which requires three fields of a rule', async () => {
  const text = rulesSchemaText();
  const published = join(import.meta.dirname, '..', '..', '..', 'docs', 'rules-file.schema.json');
  await expect(text).toMatchFileSnapshot(published);
  const { properties } = JSON.parse(text);
  expect(properties.rules.items.required).toEqual(['folder', 'unit', 'sourceType']);
});

it('parseServiceFile() accepts comments and the address of its schema', () => {
  const text = `// rules of the server\n${file({ $schema: './tilelift-rules.schema.json' })} /* end */`;
  expect(parseServiceFile(text)).toMatchObject({ kind: 'read', data: { rules: [{ name: plain.name }] } });
});

it('parseServiceFile() accepts an export of the desktop', () => {
  const rule = aWatchRule({ folder: '/srv/in', on: false });
  expect(parseServiceFile(rulesFileText([rule]))).toMatchObject({ kind: 'read', data: { rules: [rule] } });
});

it('parseServiceFile() enables rules by default and identifies them without IDs', () => {
  const [firstFile, secondFile] = [
    parseServiceFile(file()),
    parseServiceFile(file({ rules: [{ ...plain, unit: { kind: 'batch' }, settleSeconds: 60 }] })),
  ];
  const ids = [firstFile, secondFile].map((read) => read.kind === 'read' && read.data.rules[0]?.id);
  expect(ids[0]).toMatch(/^file:[0-9a-f]{16}$/);
  expect(ids[1]).toBe(ids[0]);
  expect(firstFile).toMatchObject({ kind: 'read', data: { rules: [{ on: true }] } });
});

it('parseServiceFile() accepts services, account, limits and alerts like policy and settings', () => {
  const services = [{ name: 'Own', baseUrl: 'https://api.example/', authUrl: 'https://example' }];
  const limits = { limit: 1_000_000, timetable: [] };
  const heartbeat = { file: '/run/beat.json', minutes: 5 };
  const read = parseServiceFile(
    file({ services, account: 'https://api.example', limits, alerts: { heartbeat } }),
  );
  expect(read).toMatchObject({
    kind: 'read',
    data: { services: [{ baseUrl: 'https://api.example' }], limits, alerts: { mail: null, heartbeat } },
  });
});

it('parseServiceFile() reports every problem with line and field', () => {
  const text = file({ rules: [{ ...plain, folder: 'relative', colour: 1 }, plain, plain], limit: 7 });
  const read = parseServiceFile(text);
  const line = text.slice(0, text.indexOf('"folder"')).split('\n').length;
  expect(read.kind === 'problems' && read.problems).toMatchObject([
    { line, field: 'rules[0].folder' },
    { field: 'rules[0].colour' },
    { field: 'limit' },
  ]);
  const otherFile = parseServiceFile(file({ rules: [{ ...plain, colour: 1 }, plain, plain], limit: 7 }));
  expect(otherFile.kind === 'problems' && otherFile.problems.map(({ field }) => field)).toEqual([
    'rules[0].colour',
    'rules[1].id',
    'rules[2].id',
    'limit',
  ]);
});

it('parseServiceFile() refuses a kind that resembles a known one, and leaves others to the service', () => {
  const problems = (sourceType: string) => {
    const read = parseServiceFile(file({ rules: [{ ...plain, sourceType }] }));
    return read.kind === 'problems'
      ? read.problems.map(({ field, what: problem }) => [field, problem.values?.meant])
      : [];
  };
  expect(problems('RASTER_IMAGRY')).toEqual([['rules[0].sourceType', 'RASTER_IMAGERY']]);
  expect(problems('raster_terrain')).toEqual([['rules[0].sourceType', 'RASTER_TERRAIN']]);
  expect([...problems('SPLATS'), ...problems('K')]).toEqual([]);
});

it('parseServiceFile() names a misspelled kind without an asset type, together with other problems', () => {
  const rule = { folder: '/srv/ortho', unit: { kind: 'entries' }, sourceType: 'RASTER_IMAGRY', hold: 'no' };
  const read = parseServiceFile(file({ rules: [rule] }));
  expect(read.kind === 'problems' && read.problems.map(({ field }) => field)).toEqual([
    'rules[0].sourceType',
    'rules[0].hold',
  ]);
});

it('parseServiceFile() refuses a rule id of the policy', () => {
  const read = parseServiceFile(file({ rules: [{ ...plain, id: 'policy:x' }] }));
  expect(read.kind === 'problems' && read.problems.map(({ field }) => field)).toEqual(['rules[0].id']);
});

describe('parseServiceFile() with alerts', () => {
  const mail = {
    ...{ host: 'mail.example', port: 587, security: 'starttls', user: 'tilelift' },
    ...{ from: 'server@office.example', to: ['gis@office.example'] },
  };
  const webhook = { address: 'https://hooks.example/' };
  const problemsOf = (alerts: object) => {
    const read = parseServiceFile(file({ alerts }));
    return read.kind === 'problems' && read.problems.map(({ field, what: problem }) => [field, problem.key]);
  };

  it('parseServiceFile() with alerts requires references to secrets, and refuses the secrets themselves', () => {
    expect(problemsOf({ mail })).toEqual([['alerts.mail.password', 'rulesFile.problem.missing']]);
    expect(problemsOf({ mail: { ...mail, user: '' } })).toBe(false);
    expect(problemsOf({ webhook })).toEqual([['alerts.webhook.key', 'rulesFile.problem.missing']]);
    expect(problemsOf({ mail: { ...mail, password: 'a word' } })).toEqual([
      ['alerts.mail.password', expect.any(String)],
    ]);
  });

  it('parseServiceFile() with alerts accepts only authorization headers for a webhook', () => {
    const key = { credential: 'key' };
    const headers = (name: string) => problemsOf({ webhook: { ...webhook, key, headers: { [name]: key } } });
    for (const name of ['Authorization', 'X-Api-Key']) expect(headers(name)).toBe(false);
    for (const name of ['Content-Type', 'Host', 'Tilelift-Signature', 'X-\nA', 'X-'])
      expect(headers(name)).toEqual([
        [expect.stringMatching(/^alerts\.webhook\.headers/), expect.any(String)],
      ]);
  });

  it.each([
    { file: 'relative/path' },
    { credential: '../token' },
    { credential: '' },
    { file: '/etc/one', credential: 'two' },
    {},
  ])('parseServiceFile() with alerts refuses the secret %j', (key) => {
    expect(problemsOf({ webhook: { ...webhook, key } })).toEqual([
      [expect.stringMatching(/^alerts\.webhook\.key/), expect.any(String)],
    ]);
  });
});

it('watchdogMs() returns half of the watchdog’s time, for the watched process only', () => {
  expect(watchdogMs({ WATCHDOG_USEC: '60000000', WATCHDOG_PID: '7' }, 7)).toBe(30_000);
  expect(watchdogMs({ WATCHDOG_USEC: '60000000' }, 7)).toBe(30_000);
  expect(watchdogMs({ WATCHDOG_USEC: '60000000', WATCHDOG_PID: '8' }, 7)).toBeNull();
  for (const WATCHDOG_USEC of [undefined, '', 'soon', '0', '-5'])
    expect(watchdogMs({ WATCHDOG_USEC }, 7)).toBeNull();
});

it.each([
  [undefined, 0],
  ['signed-out', 3],
  ['outage', 7],
  ['folder-away', 7],
  ['held', 8],
  ['confirmation', 8],
] as const)('exitCodeOf() returns for %s: %s', (kind, code) => {
  expect(exitCodeOf({ concerns: kind ? [{ kind, count: 1 }] : [] })).toBe(code);
});

it('desktopHome() returns Electron’s data folder', () => {
  expect(desktopHome('linux', {}, '/home/a')).toBe('/home/a/.config/Tilelift');
  expect(desktopHome('linux', { XDG_CONFIG_HOME: '/c' }, '/home/a')).toBe('/c/Tilelift');
  expect(desktopHome('win32', {}, 'C:\\Users\\a')).toBeNull();
});
