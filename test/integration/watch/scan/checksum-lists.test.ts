import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scanRule } from '../../../../main/watch/scan/scan-rule.ts';
import { jpeg } from '../../../deliveries/data.ts';
import { openWatchFixture, type WatchFixture } from '../fixture.ts';
import { createWatchedFolder } from '../watched-folder.ts';

let fixture: WatchFixture;
beforeEach(async () => {
  fixture = await openWatchFixture();
});
afterEach(() => fixture.close());

const sum = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes).digest('hex');
const [tile, other] = [jpeg('a tile '.repeat(900)), jpeg('another tile '.repeat(700))];

describe('a source with a checksum list', () => {
  it('uploads a source once all listed files exist and match', async () => {
    const rule = await fixture.rule();
    await fixture.write({
      'flight/img/1.jpg': tile,
      'flight/img/2.jpg': other,
      'flight/SHA256SUMS': `${sum('sha256', tile)}  ./img/1.jpg\r\nSHA256 (img\\2.jpg) = ${sum('sha256', other)}\n`,
      'scan.jpg': other,
      'scan.jpg.md5': `${sum('md5', other).toUpperCase()} *D:\\export\\scan.jpg\n`,
    });
    await fixture.untilComplete(rule, 'flight');
    await fixture.untilComplete(rule, 'scan.jpg');
    // A list next to a file is no source.
    expect(fixture.statuses()).toHaveLength(2);
  });

  it('checks only its own entries in a list that also names other files', async () => {
    const rule = await fixture.rule();
    await fixture.write({
      MD5SUMS: `${sum('md5', tile)}  a.jpg\n${sum('md5', other)}  later.jpg\n`,
      'a.jpg': tile,
    });
    await fixture.untilComplete(rule, 'a.jpg');
  });

  it('treats checksum lists as sources only if the rule ignores them', async () => {
    await using folder = await createWatchedFolder();
    await folder.put('a.tif', 'MD5SUMS', 'delivery.sha256');
    const pathsOf = async (checksums: 'verify' | 'ignore') =>
      (await scanRule(folder.rule({ checksums }))).sources.map(({ path }) => path);
    expect(await pathsOf('verify')).toEqual(['a.tif']);
    expect(await pathsOf('ignore')).toContain('MD5SUMS');
  });

  it('waits for its checksum list if the rule says so', async () => {
    const rule = await fixture.rule({ readyWhen: { kind: 'checksums' } });
    await fixture.write({ 'a.jpg': tile });
    await fixture.untilSource(rule, 'a.jpg', ({ why }) => why === 'Waiting for its checksum list');
    expect(fixture.statuses()).toEqual([]);
    await fixture.write({ 'a.sha1': `${sum('sha1', tile)}\n` });
    fixture.watch.rescanAll('a test');
    await fixture.untilComplete(rule, 'a.jpg');
  });

  it('uploads a source without a check if the rule ignores checksum lists', async () => {
    const rule = await fixture.rule({ checksums: 'ignore' });
    await fixture.write({
      'flight/1.jpg': jpeg('cut off'),
      'flight/MD5SUMS': `${sum('md5', tile)}  1.jpg\n`,
    });
    await fixture.untilComplete(rule, 'flight');
  });
});
