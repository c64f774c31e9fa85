import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { TileliftError } from '../../main/errors.ts';
import { createLog, createLogTo, type LogFields, logFileName } from '../../main/log.ts';
import { temporaryFolder } from '../temporary-folder.ts';

function writtenLine(fields: LogFields, message = 'said'): Record<string, unknown> {
  const lines: string[] = [];
  createLogTo((line) => lines.push(line), 'debug').info(fields, message);
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '');
}

it('a log line contains scope, fields, message and time', () => {
  const lines: string[] = [];
  createLogTo((line) => lines.push(line), 'info')
    .child('account')
    .warn({ status: 404 }, 'said');
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 40,
    time: expect.any(Number),
    scope: 'account',
    status: 404,
    msg: 'said',
  });
});

it('a log line is redacted by shape in fields and message', () => {
  const line = writtenLine({ note: 'Bearer abcdefgh' }, 'went to tilelift://oauth/callback?code=1&state=2');
  expect(line).toMatchObject({
    note: 'Bearer [redacted]',
    msg: 'went to tilelift://oauth/callback?[redacted]',
  });
});

it('a log line contains an error’s code, remote message and cause without secrets', () => {
  const cause = new TypeError('fetch failed for https://s3/k?X-Amz-Signature=abc');
  const error = new TileliftError('sign-in-failed', {
    remote: { status: 400, code: 'invalid_grant' },
    cause,
  });
  expect(writtenLine({ error })).toMatchObject({
    error: {
      code: 'sign-in-failed',
      remote: { status: 400, code: 'invalid_grant' },
      cause: { name: 'TypeError', message: 'fetch failed for https://s3/k?X-Amz-Signature=[redacted]' },
    },
  });
});

it('a log line survives cycles, bytes and values unknown to JSON', () => {
  const loop: Record<string, unknown> = { size: 10n, bytes: new Uint8Array(3) };
  loop.self = loop;
  expect(writtenLine({ loop })).toMatchObject({
    loop: { size: '10', bytes: '[3 bytes]', self: '[circular]' },
  });
});

it('a log line is skipped below the level', () => {
  const lines: string[] = [];
  createLogTo((line) => lines.push(line), 'warn').info({}, 'quiet');
  expect(lines).toEqual([]);
});

describe('the log in its folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });

  it('the log in its folder contains every line after closing, in a new folder only the owner can read', async () => {
    const log = createLog({ folder: join(folder, 'new'), level: 'info' });
    for (let i = 0; i < 500; i += 1) log.info({ i }, 'line');
    await log.dispose();
    const file = join(folder, 'new', logFileName);
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).i)).toEqual([...Array(500).keys()]);
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it.skipIf(process.platform === 'win32')(
    'S81: the log in its folder restricts files that earlier versions left readable',
    async () => {
      await writeFile(join(folder, logFileName), 'before\n', { mode: 0o644 });
      await writeFile(join(folder, `${logFileName}.1`), 'long before\n', { mode: 0o644 });
      await chmod(folder, 0o755);
      await createLog({ folder, level: 'info' }).dispose();
      const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
      expect(await modeOf(folder)).toBe(0o700);
      for (const name of await readdir(folder)) expect(await modeOf(join(folder, name))).toBe(0o600);
    },
  );

  it('the log in its folder continues after earlier runs and keeps five files of five megabytes', async () => {
    const text = Array.from({ length: 50 }, () => 'x'.repeat(20_000));
    for (let run = 0; run < 4; run += 1) {
      const log = createLog({ folder, level: 'info' });
      for (let i = 0; i < 10; i += 1) log.info({ text }, 'line');
      await log.dispose();
    }
    const names = (await readdir(folder)).filter((name) => name.startsWith(logFileName));
    expect(names).toHaveLength(5);
    for (const name of names) expect((await stat(join(folder, name))).size).toBeLessThan(7_500_000);
  });

  it('the log in its folder never crashes the application when it can’t be written', async () => {
    const blocked = join(folder, 'blocked');
    await writeFile(blocked, '');
    const errorOutput = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const log = createLog({ folder: blocked, level: 'info' });
    await vi.waitFor(() => expect(errorOutput).toHaveBeenCalledOnce());
    expect(errorOutput.mock.calls[0]?.[0]).toContain('The log can’t be written');
    for (let i = 0; i < 100; i += 1) log.info({ i }, 'dropped');
    await log.dispose();
    expect(errorOutput).toHaveBeenCalledOnce();
  });
});
