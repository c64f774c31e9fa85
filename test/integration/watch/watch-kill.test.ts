import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../main/jobs/journal/database.ts';
import type { WatchRule } from '../../../main/watch/model/rule.ts';
import { createLedger } from '../../../main/watch/state/ledger/ledger.ts';
import { jpeg } from '../../deliveries/data.ts';
import type { EmbeddedService } from '../../service/model.ts';
import { startEmbeddedService } from '../../service/start-service.ts';
import { scopes } from '../jobs/house.ts';
import { ruleOn } from './fixture.ts';
import { type Point, points } from './watcher-process.ts';

let folder: string;
let incoming: string;
let service: EmbeddedService;
beforeEach(async () => {
  service = await startEmbeddedService({ tilingMs: 30 });
  folder = await mkdtemp(join(tmpdir(), 'tilelift-kill-'));
  incoming = join(folder, 'incoming');
  await mkdir(join(incoming, 'Kai'), { recursive: true });
  await writeFile(join(incoming, 'Kai', 'a.jpg'), jpeg('a'));
});
afterEach(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const rule = (unit: WatchRule['unit']) =>
  ruleOn(incoming, { id: 'rule', unit, shared: true, afterSuccess: { kind: 'move', folder: 'done' } });

/** Runs a Tilelift until it exits and returns its signal or exit code. */
async function run(
  killAt: Point | null,
  unit: WatchRule['unit'] = { kind: 'entries' },
): Promise<number | string | null> {
  const { baseUrl, authUrl } = service;
  const token = service.control.makeAccessToken(scopes);
  const given = JSON.stringify({ baseUrl, authUrl, token, folder, rule: rule(unit), killAt });
  const script = join(import.meta.dirname, 'watcher-process.ts');
  const child = spawn(process.execPath, [script, given], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code, signal] = await once(child, 'exit');
  return signal ?? code;
}

describe('Tilelift after a kill', () => {
  it.each(points)(
    'keeps one asset, one move and one receipt after a kill at “%s”',
    async (point) => {
      expect(await run(point)).toBe('SIGKILL');
      expect(await run(null)).toBe(0);

      expect(service.control.assets()).toMatchObject([{ name: 'Kai', status: 'COMPLETE' }]);
      expect(await readdir(join(incoming, 'done'))).toEqual(['Kai']);
      expect(await readdir(join(incoming, 'done', 'Kai'))).toEqual(['a.jpg']);
      expect((await readdir(incoming)).toSorted()).toEqual(['.tilelift', 'done']);
      const database = openDatabase(join(folder, 'journal.db'));
      const ledger = createLedger(database, 'journal.db');
      expect([...ledger.receipts('rule')]).toMatchObject([{ source: 'Kai', outcome: 'complete' }]);
      expect(ledger.find('rule', 'Kai')).toMatchObject({ state: 'complete' });
      expect(ledger.takenSoFar('rule')).toBe(1);
      database.close();
    },
    60_000,
  );

  it.each(['before-the-job', 'in-the-transaction', 'moved'] as const)(
    'uploads a batch only once despite a kill at “%s”',
    async (point) => {
      const unit = { kind: 'batch' } as const;
      await writeFile(join(incoming, 'b.jpg'), jpeg('b'));
      expect(await run(point, unit)).toBe('SIGKILL');
      expect(await run(null, unit)).toBe(0);

      expect(service.control.assets()).toMatchObject([{ name: 'incoming', status: 'COMPLETE' }]);
      expect(await readdir(join(incoming, 'done'), { recursive: true })).toEqual(
        expect.arrayContaining(['b.jpg', 'Kai/a.jpg']),
      );
      expect(await readdir(join(incoming, 'Kai'))).toEqual([]);
    },
    60_000,
  );
});
