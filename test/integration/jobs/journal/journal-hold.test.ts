import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openJournalOrRescue } from '../../../../main/jobs/journal/journal-rescue.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

it('G12: locks a journal against other processes until its own process is killed', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'journal.db');
  const script = join(import.meta.dirname, '..', 'holding-process.ts');
  const child = spawn(process.execPath, [script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const childExited = once(child, 'exit');
  await once(child.stdout, 'data');

  expect(() => openJournalOrRescue(path, Date.now())).toThrow(
    expect.objectContaining({
      code: 'journal-held',
      message: expect.stringMatching(`process ${child.pid} on .+, since .*\\d\\d:\\d\\d`),
    }),
  );
  child.kill('SIGKILL');
  await childExited;
  const { journal, damage } = openJournalOrRescue(path, Date.now());
  expect(damage).toBeNull();
  journal.close();
});
