import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it } from 'vitest';
import type { Tilelift } from '../../../main/app.ts';
import { noCipher } from '../../../main/cli/file-cipher.ts';
import { openJournal } from '../../../main/jobs/journal/journal.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { composeForTest } from '../compose-for-test.ts';

let folder: string;

beforeEach(async () => {
  folder = temporaryFolder();
});

const compose = (): Tilelift =>
  composeForTest(folder, { fetch: () => Promise.reject(new Error('no network')), cipher: noCipher });

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
