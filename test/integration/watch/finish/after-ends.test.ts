import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../../../main/jobs/journal/database.ts';
import { silentLog } from '../../../../main/log.ts';
import { systemClock } from '../../../../main/ports.ts';
import type { Program, Programs } from '../../../../main/run-program.ts';
import { type AfterEnds, createAfterEnds } from '../../../../main/watch/finish/after-ends.ts';
import type { WatchRule } from '../../../../main/watch/model/rule.ts';
import { saidLines } from '../../../said.ts';
import { openWatchFixture, settingsInMemory, type WatchFixture } from '../fixture.ts';

const settings = settingsInMemory();
let fixture: WatchFixture;
let tools: string;
let open: { after: AfterEnds; close: () => Promise<void> } | undefined;

beforeEach(async () => {
  settings.update({ watchRules: [], programs: {} });
  fixture = await openWatchFixture({ settings });
  tools = await realpath(await mkdtemp(join(tmpdir(), 'tilelift-tools-')));
});
afterEach(async () => {
  await open?.close();
  open = undefined;
  await fixture.close();
  await rm(tools, { recursive: true });
});

/** Follows up on ends as a start of Tilelift does, on the same journal. */
function follow(programMs = 10_000): void {
  const database = openDatabase(fixture.journalPath);
  const after = createAfterEnds({
    ...{ database, settings, watch: fixture.watch, clock: systemClock, log: silentLog },
    journalPath: fixture.journalPath,
    ledger: fixture.ledger(),
    timing: { programMs, retryMs: 50 },
  });
  after.kick();
  open = {
    after,
    close: async () => {
      await after.stop();
      if (database.isOpen) database.close();
    },
  };
}

/** Records ends without any follow-up, as a kill right after them does. */
function noteOnly(): { stop: () => Promise<void> } {
  const database = openDatabase(fixture.journalPath);
  const after = createAfterEnds({
    ...{ database, settings, clock: systemClock, log: silentLog, ledger: fixture.ledger() },
    watch: { ...fixture.watch, onChange: () => () => {} },
    journalPath: fixture.journalPath,
  });
  return {
    stop: async () => {
      await after.stop();
      database.close();
    },
  };
}

const beside = { receiptFile: { kind: 'beside' as const } };
const receiptAt = (path: string) =>
  vi.waitFor(async () => JSON.parse(await readFile(path, 'utf8')), { timeout: 25_000 });
const said = (rule: WatchRule) => saidLines(fixture.watch.activity(rule.id)).map(({ text }) => text);
const untilSaid = (rule: WatchRule, words: string) =>
  vi.waitFor(() => expect(said(rule).join('\n')).toContain(words), { timeout: 25_000 });
const assets = () => fixture.assets().length;

describe('receipt files', () => {
  test('writes a receipt next to complete data and never uploads it', async () => {
    follow();
    const rule = await fixture.rule(beside);
    await fixture.write({ 'Kai 3/a.jpg': 1000, 'Kai 3/b.jpg': 20 });
    await fixture.untilComplete(rule, 'Kai 3');
    const receipt = await receiptAt(join(fixture.incoming, 'Kai 3.tilelift.json'));
    expect(receipt).toMatchObject({
      tilelift: 'receipt',
      source: 'Kai 3',
      outcome: 'complete',
      ruleId: rule.id,
    });
    expect(receipt.assetId).toBe(fixture.watch.sources(rule.id)[0]?.assetId);
    expect(receipt.files).toHaveLength(2);
    expect(Date.parse(receipt.endedAt)).toBeGreaterThan(Date.parse(receipt.takenAt) - 1);
    // A second delivery and a full scan add only the delivered data.
    fixture.watch.rescanAll('test');
    await fixture.write({ 'Kai 4/a.jpg': 10 });
    await fixture.untilComplete(rule, 'Kai 4');
    expect(assets()).toBe(2);
    expect(
      fixture.watch
        .sources(rule.id)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['Kai 3', 'Kai 4']);
  });

  test('writes the receipt to the folder that its source was moved to', async () => {
    follow();
    const rule = await fixture.rule({ ...beside, afterSuccess: { kind: 'move', folder: 'done' } });
    await fixture.write({ 'a/x.jpg': 10 });
    await receiptAt(join(fixture.incoming, 'done', 'a.tilelift.json'));
    expect(await readdir(join(fixture.incoming, 'done'))).toContain('a');
    expect(said(rule).join()).not.toContain('could not');
  });

  test('writes receipts to a folder of their own and never uploads them', async () => {
    follow();
    const rule = await fixture.rule({ receiptFile: { kind: 'folder', folder: 'receipts' } });
    await fixture.write({ 'a/x.jpg': 10, 'b/x.jpg': 12 });
    await fixture.untilComplete(rule, 'a');
    await fixture.untilComplete(rule, 'b');
    const folder = join(fixture.incoming, 'receipts');
    const name = expect.stringMatching(/^[ab]\.[\da-f]{8}\.tilelift\.json$/);
    await vi.waitFor(async () => expect(await readdir(folder)).toEqual([name, name]), { timeout: 25_000 });
    expect(assets()).toBe(2);
  });

  test('writes a receipt at the next start if a kill prevented it', async () => {
    const rule = await fixture.rule(beside);
    // The kill leaves a recorded end without follow-up.
    const { stop } = noteOnly();
    await fixture.write({ 'a/x.jpg': 10 });
    await fixture.untilComplete(rule, 'a');
    await stop();
    expect(await readdir(fixture.incoming)).not.toContain('a.tilelift.json');
    await fixture.restart();
    follow();
    expect(await receiptAt(join(fixture.incoming, 'a.tilelift.json'))).toMatchObject({ source: 'a' });
  });

  test('S125: never writes a receipt through a link or over another file', async () => {
    const elsewhere = join(fixture.folder, 'elsewhere.txt');
    await writeFile(elsewhere, 'untouched');
    await symlink(elsewhere, join(fixture.incoming, 'a.tilelift.json'));
    await writeFile(join(fixture.incoming, 'b.tilelift.json'), '{"mine": true}');
    follow();
    const rule = await fixture.rule(beside);
    await fixture.write({ 'a/x.jpg': 10, 'b/x.jpg': 12 });
    expect(await receiptAt(join(fixture.incoming, 'a.tilelift.json'))).toMatchObject({ source: 'a' });
    await untilSaid(rule, 'receipt');
    expect(await readFile(elsewhere, 'utf8')).toBe('untouched');
    expect(await readFile(join(fixture.incoming, 'b.tilelift.json'), 'utf8')).toBe('{"mine": true}');
  });

  test('S126: writes no receipt into a linked folder', async () => {
    const outside = join(fixture.folder, 'outside');
    await mkdir(outside);
    await symlink(outside, join(fixture.incoming, 'receipts'));
    follow();
    const rule = await fixture.rule({ receiptFile: { kind: 'folder', folder: 'receipts' } });
    await fixture.write({ 'a/x.jpg': 10 });
    await fixture.untilComplete(rule, 'a');
    await untilSaid(rule, 'receipt');
    expect(await readdir(outside)).toEqual([]);
  });
});

/** Writes a script that logs its arguments and a secret of the environment, then runs `more`. */
async function script(name: string, more = ''): Promise<{ file: string; log: string }> {
  const log = join(tools, `${name}.log`);
  const file = join(tools, name);
  await writeFile(
    file,
    `#!${process.execPath}
const { appendFileSync } = require('node:fs');
appendFileSync(${JSON.stringify(log)}, JSON.stringify({ args: process.argv.slice(2), secret: process.env.TILELIFT_TEST_SECRET ?? null }) + '\\n');
${more}`,
  );
  await chmod(file, 0o755);
  return { file, log };
}

const runs = async (log: string): Promise<{ args: string[]; secret: string | null }[]> =>
  (await readFile(log, 'utf8').catch(() => ''))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const untilRuns = (log: string, count: number) =>
  vi.waitFor(async () => expect(await runs(log)).toHaveLength(count), { timeout: 25_000 });

function setProgram(rule: WatchRule, part: Partial<Programs>): void {
  settings.update({ programs: { [rule.id]: { success: null, failure: null, ...part } } });
}

describe('programs after an upload', () => {
  const all = ['--id={asset-id}', '{source}', '{receipt}', '{outcome}', 'plain $HOME `x`'];

  test('S117: passes whole arguments to a program, whatever a name contains, and none of our secrets', async () => {
    const { file, log } = await script('tell');
    vi.stubEnv('TILELIFT_TEST_SECRET', 'secret');
    follow();
    const rule = await fixture.rule(beside);
    setProgram(rule, { success: { file, arguments: all } });
    const name = `it's "odd" $(touch pwned) {receipt}; x & y`;
    await fixture.write({ [`${name}/x.jpg`]: 10 });
    const { assetId } = await fixture.untilComplete(rule, name);
    await untilRuns(log, 1);
    const source = join(fixture.incoming, name);
    expect(await runs(log)).toEqual([
      {
        args: [`--id=${assetId}`, source, `${source}.tilelift.json`, 'complete', 'plain $HOME `x`'],
        secret: null,
      },
    ]);
    expect(JSON.parse(await readFile(`${source}.tilelift.json`, 'utf8'))).toMatchObject({ assetId });
    await untilSaid(rule, 'exit code 0');
    vi.unstubAllEnvs();
  });

  test('reports exit code and output of a failed program and continues with the next', async () => {
    const { file, log } = await script(
      'fail',
      `console.error('cannot reach the catalogue'); process.exit(3);`,
    );
    follow();
    const rule = await fixture.rule();
    setProgram(rule, { success: { file, arguments: [] } });
    await fixture.write({ 'a/x.jpg': 10 });
    await untilSaid(rule, 'exit code 3');
    expect(said(rule).join('\n')).toContain('cannot reach the catalogue');
    await fixture.write({ 'b/x.jpg': 12 });
    await untilRuns(log, 2);
  });

  test('runs one program at a time', async () => {
    const busy = join(tools, 'busy');
    const { file, log } = await script(
      'slow',
      `const fs = require('node:fs');
       if (fs.existsSync(${JSON.stringify(busy)})) appendFileSync(${JSON.stringify(join(tools, 'clash'))}, 'x');
       fs.writeFileSync(${JSON.stringify(busy)}, '');
       setTimeout(() => fs.rmSync(${JSON.stringify(busy)}), 200);`,
    );
    const rule = await fixture.rule();
    setProgram(rule, { success: { file, arguments: ['{source}'] } });
    // Record all ends first so that all programs are due at once.
    const { stop } = noteOnly();
    await fixture.write({ 'a/x.jpg': 10, 'b/x.jpg': 11, 'c/x.jpg': 12 });
    for (const path of ['a', 'b', 'c']) await fixture.untilComplete(rule, path);
    await stop();
    follow();
    await untilRuns(log, 3);
    expect(await readdir(tools)).not.toContain('clash');
  });

  test('ends a program that takes too long and reports it', async () => {
    const { file } = await script('hang', 'setInterval(() => {}, 1000);');
    follow(300);
    const rule = await fixture.rule();
    setProgram(rule, { success: { file, arguments: [] } });
    await fixture.write({ 'a/x.jpg': 10 });
    await untilSaid(rule, 'took too long');
  });

  test('runs a program again at the next start if Tilelift’s exit interrupted it', async () => {
    const { file, log } = await script(
      'again',
      `if (!require('node:fs').existsSync(${JSON.stringify(join(tools, 'go'))})) setInterval(() => {}, 1000);`,
    );
    follow();
    const rule = await fixture.rule();
    setProgram(rule, { success: { file, arguments: [] } });
    await fixture.write({ 'a/x.jpg': 10 });
    await untilRuns(log, 1);
    await open?.close();
    await writeFile(join(tools, 'go'), '');
    await fixture.restart();
    follow();
    await untilRuns(log, 2);
    await untilSaid(rule, 'exit code 0');
    await open?.close();
    follow();
    await new Promise(setImmediate);
    expect(await runs(log)).toHaveLength(2);
  });

  test('S124: refuses to run a program in a watched folder, where others could replace it', async () => {
    await fixture.write({ 'tools/evil': '' });
    const { file, log } = await script('evil');
    const inside = join(fixture.incoming, 'tools', 'run');
    await writeFile(inside, await readFile(file));
    await chmod(inside, 0o755);
    await symlink(inside, join(tools, 'link'));
    follow();
    const rule = await fixture.rule({ ignore: ['tools/'] });
    setProgram(rule, { success: { file: join(tools, 'link'), arguments: [] } });
    await fixture.write({ 'a/x.jpg': 10 });
    await untilSaid(rule, 'watched folder');
    expect(await runs(log)).toEqual([]);
  });

  test('S123: refuses to run a program that others may write to', async () => {
    const { file, log } = await script('shared');
    await chmod(file, 0o757);
    follow();
    const rule = await fixture.rule();
    setProgram(rule, { success: { file, arguments: [] } });
    await fixture.write({ 'a/x.jpg': 10 });
    await untilSaid(rule, 'Other users can write');
    expect(await runs(log)).toEqual([]);
  });

  test('runs the failure program after failures only', async () => {
    const good = await script('good');
    const bad = await script('bad');
    follow();
    const rule = await fixture.rule();
    const program = ({ file }: { file: string }): Program => ({ file, arguments: ['{outcome}'] });
    setProgram(rule, { success: program(good), failure: program(bad) });
    await fixture.write({ 'fine/x.jpg': 10 });
    await fixture.untilComplete(rule, 'fine');
    await untilRuns(good.log, 1);
    expect(await runs(bad.log)).toEqual([]);
    fixture.service.control.setTiling({ end: 'DATA_ERROR', error: 'No positions' });
    await fixture.write({ 'broken/x.jpg': 12 });
    await untilRuns(bad.log, 1);
    expect(await runs(bad.log)).toMatchObject([{ args: ['data-error'] }]);
    expect(await runs(good.log)).toHaveLength(1);
  });
});
