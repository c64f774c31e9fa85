import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it } from 'vitest';
import { composeTilelift, type Tilelift } from '../../../main/app.ts';
import { noCipher } from '../../../main/cli/access/file-cipher.ts';
import { openJournal } from '../../../main/jobs/journal/journal.ts';
import { silentLog } from '../../../main/log.ts';
import { systemClock } from '../../../main/ports.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { settingsInMemory } from '../../unit/account/stand-ins.ts';

let folder: string;

beforeEach(async () => {
  folder = temporaryFolder();
});

const compose = (): Tilelift =>
  composeTilelift({
    folder,
    clock: systemClock,
    fetch: () => Promise.reject(new Error('no network')),
    openBrowser: async () => {},
    cipher: noCipher,
    settings: settingsInMemory(),
    log: silentLog,
    uploadWorker: new URL('../../../main/workers/upload-worker.ts', import.meta.url),
    scanWorker: new URL('../../../main/workers/scan-worker.ts', import.meta.url),
  });

it('opens a sound journal without a notice', async () => {
  const tilelift = compose();
  expect(tilelift.notices).toEqual([]);
  await tilelift.stop();
});

it('names the process that holds the journal to a second Tilelift', async () => {
  const tilelift = compose();
  expect(compose).toThrow(
    expect.objectContaining({
      code: 'journal-held',
      message: expect.stringContaining(`process ${process.pid} on`),
    }),
  );
  await tilelift.stop();
  await compose().stop();
});

it('starts with an unreadable job, reports it and lists it to be started again', async () => {
  const path = join(folder, 'journal.db');
  const journal = openJournal(path);
  journal.addJob({
    id: 'a',
    accountId: 'me',
    paths: ['/data/Altstadt'],
    createdAt: 1,
    acceptForecast: false,
    body: { name: 'Altstadt', type: '3DTILES', options: { sourceType: 'CITYGML' } },
  });
  journal.append('a', { kind: 'started', at: 2 });
  journal.close();
  const database = new DatabaseSync(path);
  database.exec(`INSERT INTO events (job_id, event) VALUES ('a', '{"kind":')`);
  database.close();

  const tilelift = compose();

  expect(tilelift.notices).toMatchObject([
    { code: 'job-unreadable', subject: { names: [expect.stringContaining('Altstadt')] } },
  ]);
  expect(tilelift.jobs.list()).toMatchObject([
    {
      id: 'a',
      name: 'Altstadt',
      status: 'failed',
      error: { code: 'job-unreadable' },
      actions: ['start-again', 'remove'],
    },
  ]);
  expect((await readdir(folder)).some((name) => name.includes('damaged'))).toBe(false);
  await tilelift.stop();
});

it('starts empty with a destroyed journal', async () => {
  await writeFile(join(folder, 'journal.db'), Buffer.alloc(20_000, 0x5a));

  const tilelift = compose();

  expect(tilelift.notices).toMatchObject([{ code: 'journal-damaged' }]);
  expect(tilelift.jobs.list()).toEqual([]);
  await tilelift.stop();
});
