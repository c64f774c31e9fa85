import { lstat, mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SourceFile } from '../../../../main/files/model.ts';
import { scanInPages } from '../../../../main/files/walk/scan.ts';
import { Tree } from '../../../../main/watch/scan/tree.ts';
import { aWatchRule } from '../../../a-watch-rule.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

/** A private file of the owner, and a similar one in a folder that everyone may write to. */
const secret = 'outside/secret.tif';
const lookalike = 'shared/source/inner/secret.tif';

let root: string;
beforeEach(async () => {
  root = temporaryFolder();
  for (const name of [secret, lookalike]) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), name.padEnd(100));
    await utimes(join(root, name), 1_700_000_000, 1_700_000_000);
  }
});
afterEach(async () => {
  delete process.env.TILELIFT_TEST_SWAPS;
});

/** A separate worker for each test, because threads are reused. */
function workerWith(call: string, folder: string): URL {
  process.env.TILELIFT_TEST_SWAPS = [call, join(root, folder), join(root, 'outside')].join('\n');
  return new URL(`./swapping-scan-worker.ts?${root}`, import.meta.url);
}

/** File ids that the scan returned. */
async function seenByScan(path: string, worker: URL): Promise<readonly string[]> {
  try {
    const fileIds: string[] = [];
    const takeFiles = (files: readonly SourceFile[]) => {
      for (const { identity } of files) fileIds.push(identity?.fileId ?? '');
    };
    await scanInPages([join(root, path)], takeFiles, { keysFrom: join(root, 'shared'), worker });
    return fileIds;
  } catch (error) {
    expect(error).toMatchObject({ code: 'source-unreadable' });
    return [];
  }
}

async function secretId(): Promise<string> {
  const { dev, ino } = await lstat(join(root, secret));
  return `${dev}:${ino}`;
}

const calls = ['openSync', 'readdirSync', 'lstatSync'];

describe.each(calls)('scan while a link replaces a folder during %s', (call) => {
  const onLinux = it.runIf(process.platform === 'linux');

  onLinux.each(['shared/source', 'shared/source/inner'])('reads no file behind it: %s', async (folder) => {
    expect(await seenByScan('shared/source', workerWith(call, folder))).not.toContain(await secretId());
  });

  onLinux('S60: skips a single file behind it', async () => {
    expect(await seenByScan(lookalike, workerWith(call, dirname(lookalike)))).not.toContain(await secretId());
  });

  onLinux('reads no watched folder through it', async () => {
    await writeFile(join(root, 'outside/only.tif'), 'x');
    const rule = aWatchRule({ folder: join(root, 'shared') });
    const tree = new Tree(rule, { worker: workerWith(call, 'shared/source/inner') });
    await tree.readBelow('');
    expect(JSON.stringify([...tree.listings])).not.toContain('only.tif');
    const innerListing = await tree.folder('source/inner');
    expect(innerListing?.files ?? []).not.toContain('only.tif');
  });
});
