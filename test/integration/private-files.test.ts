import { chmodSync, lstatSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../main/log.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { composeForTest } from './compose-for-test.ts';

let root: string;
let folder: string;
beforeEach(() => {
  root = temporaryFolder();
  folder = join(root, 'user-data');
});

const modeOf = (path: string) => (lstatSync(path).mode & 0o777).toString(8);
const modes = () => Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]));

/** Starts the program once and lets it write journal, vault and log. */
async function startOnce() {
  const log = createLog({ folder: join(folder, 'logs'), level: 'info' });
  const tilelift = composeForTest(folder);
  tilelift.vault.set('a', 'secret');
  log.info({}, 'begun');
  const fileModes = modes();
  await tilelift.stop();
  await log.dispose();
  return fileModes;
}

describe.skipIf(process.platform === 'win32')('stored files', () => {
  it('S79: stored files: stores files for their owner only, from the first start on and while writing', async () => {
    const mask = process.umask(0o022);
    try {
      const filesWhileRunning = await startOnce();
      expect(filesWhileRunning).toMatchObject({
        'journal.db': '600',
        'journal.db-wal': '600',
        'vault.json': '600',
      });
      expect(modes()).toMatchObject({ 'journal.db': '600', 'vault.json': '600', logs: '700' });
      expect(modeOf(folder)).toBe('700');
      expect(modeOf(join(folder, 'logs', 'tilelift.log'))).toBe('600');
    } finally {
      process.umask(mask);
    }
  });

  it('S80: stored files: makes them private if an earlier version let others read them', async () => {
    await startOnce();
    for (const name of ['journal.db.damaged-1', 'settings.json']) writeFileSync(join(folder, name), '{}');
    for (const name of Object.keys(modes())) chmodSync(join(folder, name), name === 'logs' ? 0o755 : 0o664);
    chmodSync(folder, 0o755);
    await startOnce();
    expect(modeOf(folder)).toBe('700');
    expect(modes()).toMatchObject({
      'journal.db': '600',
      'journal.db.damaged-1': '600',
      'settings.json': '600',
      'vault.json': '600',
      logs: '700',
    });
  });

  it('stored files: leaves links to elsewhere and foreign files unchanged', async () => {
    await startOnce();
    const otherFolder = join(root, 'elsewhere');
    writeFileSync(otherFolder, '', { mode: 0o644 });
    symlinkSync(otherFolder, join(folder, 'journal-link'));
    writeFileSync(join(folder, 'Preferences'), '', { mode: 0o644 });
    await startOnce();
    expect(modeOf(otherFolder)).toBe('644');
    expect(modes().Preferences).toBe('644');
  });
});
