import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../../../main/jobs/journal/database.ts';
import { silentLog } from '../../../../main/log.ts';
import { createLedger } from '../../../../main/watch/ledger/ledger.ts';
import type { Ledger } from '../../../../main/watch/ledger/ledger-model.ts';
import { takeOverLeftPlans } from '../../../../main/watch/moves/left-plans.ts';
import { finishMoves } from '../../../../main/watch/moves/move-source.ts';
import type { WatchParts } from '../../../../main/watch/watch-parts.ts';
import { saidLines } from '../../../said.ts';
import { ruleOn } from '../house.ts';

/** Plans that an earlier version left in a watched folder when it was killed. */

let folder: string;
let ledger: Ledger;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilelift-left-'));
  ledger = createLedger(openDatabase(':memory:'), 'journal.db');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const rule = () => ruleOn(folder, { id: 'rule', afterSuccess: { kind: 'move', folder: 'done' } });
const look = () =>
  takeOverLeftPlans(rule(), {
    ledger,
    clock: { now: () => 5 },
    log: silentLog,
  } as unknown as WatchParts);
const told = () => saidLines(ledger.activity('rule', 10)).map(({ text }) => text);

async function put(name: string, content = name): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), content);
}

const plan = (name: string, moves: readonly (readonly [from: string, to: string])[]) =>
  put(
    `.tilelift/moves/${name}`,
    JSON.stringify(moves.map(([from, to]) => ({ from: join(folder, from), to: join(folder, to) }))),
  );

it('one of this rule is continued, and nothing of it stays in the folder', async () => {
  await put('m.mtl');
  await put('done/m.obj');
  await plan('one.json', [
    ['m.obj', 'done/m.obj'],
    ['m.mtl', 'done/m.mtl'],
  ]);
  await look();
  await finishMoves(folder, ledger);
  expect((await readdir(join(folder, 'done'))).toSorted()).toEqual(['m.mtl', 'm.obj']);
  expect(await readdir(folder)).toEqual(['done']);
  expect(told()).toEqual([]);
});

it.each([
  ['to another place in the folder', 'a', 'b'],
  ['from outside', '../outside', 'done/a'],
  ['to outside', 'a', '../outside'],
  ['of the folder itself', '.', 'done/a'],
  ['onto the target itself', 'a', 'done'],
  ['of what was moved already', 'done/a', 'done/b'],
  ['of what is Tilelift’s own', '.tilelift/evil', 'done/b'],
])('one that moves something %s is refused, told once and never looked at again', async (_, from, to) => {
  await plan('one.json', [[from, to]]);
  await look();
  await look();
  expect(ledger.movesFrom(folder)).toEqual([]);
  expect(told()).toEqual([
    'A plan for moving files that does not belong to this rule was found in Tilelift’s folder and ignored.',
  ]);
  expect(await readdir(join(folder, '.tilelift/moves'))).toEqual(['one.json']);
});

it('links, pipes, giants and nonsense are refused without being followed or waited for', async () => {
  await plan('right.json', [['a', 'done/a']]);
  await put('elsewhere', '[]');
  await symlink(join(folder, 'elsewhere'), join(folder, '.tilelift/moves/link'));
  execFileSync('mkfifo', [join(folder, '.tilelift/moves/pipe')]);
  await put('.tilelift/moves/giant', '');
  await truncate(join(folder, '.tilelift/moves/giant'), 2 ** 40);
  for (const [name, text] of Object.entries({ half: '[{"from": "/in', list: '[1]', none: '[]', word: '"x"' }))
    await put(`.tilelift/moves/${name}`, text);
  await look();
  expect(ledger.movesFrom(folder)).toMatchObject([{ moves: [{ from: ['a'], to: ['a'] }] }]);
  expect(told()).toEqual([
    '7 plans for moving files that do not belong to this rule were found in Tilelift’s folder and ignored.',
  ]);
});

it('a folder that is away is looked at when it is back', async () => {
  await plan('one.json', [['a', 'done/a']]);
  await rename(folder, `${folder}-away`);
  await expect(look()).rejects.toMatchObject({ code: 'ENOENT' });
  await rename(`${folder}-away`, folder);
  await look();
  expect(ledger.movesFrom(folder)).toHaveLength(1);
});
