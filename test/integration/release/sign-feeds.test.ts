import { createHash, generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isSigned, readStatement } from '../../../main/desktop/updates/release-signature.ts';
import { ofLibrary } from '../../../scripts/package/builder-library.mjs';
import { publicKeyOf, signFeeds } from '../../../tools/release/sign-feeds.ts';

const pem = (type: 'ed25519' | 'x25519') =>
  (type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519')).privateKey.export({
    format: 'pem',
    type: 'pkcs8',
  }) as string;
const key = pem('ed25519');
const successor = pem('ed25519');
const trusted = [publicKeyOf(key), publicKeyOf(successor)];

let folder: string;
const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const feedOf = (name: string) => ofLibrary('js-yaml').load(read(name));

/** As electron-builder writes one, also for a file that is there with other bytes. */
function announce(feed: string, file: string, bytes: string): void {
  const sha512 = createHash('sha512').update(bytes).digest('base64');
  const entry = `  - url: ${file}\n    sha512: ${sha512}\n    size: ${bytes.length}\n`;
  put(
    feed,
    `version: 1.2.3\nfiles:\n${entry}path: ${file}\nsha512: ${sha512}\nreleaseDate: '2026-11-20T10:00:00.000Z'\n`,
  );
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tilelift-sign-'));
  put('Tilelift.AppImage', 'program');
  put('Tilelift-Setup.exe', 'installer');
  put('Tilelift-mac.zip', 'bundle');
  put('builder-debug.yml', 'x: y\n');
  announce('latest-linux.yml', 'Tilelift.AppImage', 'program');
  announce('beta-linux.yml', 'Tilelift.AppImage', 'program');
  announce('latest.yml', 'Tilelift-Setup.exe', 'installer');
  announce('latest-mac.yml', 'Tilelift-mac.zip', 'bundle');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('signing what updates are made of', () => {
  it('puts a signature into every feed file, which the program accepts for that channel and system alone', async () => {
    const names = await signFeeds({ folder, key, trusted });
    expect(names).toEqual(['beta-linux.yml', 'latest-linux.yml', 'latest-mac.yml', 'latest.yml']);
    const accepted = (name: string, channel: string, system: string) => {
      const feed = feedOf(name);
      return isSigned(feed, readStatement(feed, channel, system), trusted);
    };
    expect(accepted('latest.yml', 'latest', 'windows')).toBe(true);
    expect(accepted('latest-mac.yml', 'latest', 'mac')).toBe(true);
    expect(accepted('beta-linux.yml', 'beta', 'linux')).toBe(true);
    expect(accepted('beta-linux.yml', 'latest', 'linux')).toBe(false);
    expect(accepted('latest-linux.yml', 'latest', 'windows')).toBe(false);
  });

  it('signs again in the place of the first signature', async () => {
    await signFeeds({ folder, key, trusted });
    const once = read('latest.yml');
    await signFeeds({ folder, key, trusted });
    expect(read('latest.yml')).toBe(once);
  });

  it('takes either key, so that one can be retired', async () => {
    await signFeeds({ folder, key: successor, trusted });
    const feed = feedOf('latest.yml');
    const statement = readStatement(feed, 'latest', 'windows');
    expect(isSigned(feed, statement, trusted)).toBe(true);
    expect(isSigned(feed, statement, [publicKeyOf(key)])).toBe(false);
  });

  it.each([
    ['a key that the program does not know', { key: pem('ed25519') }, 'is not in main/desktop'],
    ['a key of another kind', { key: pem('x25519') }, 'no Ed25519 private key'],
    ['what is no key, without saying it back', { key: 'secret text' }, /^(?!.*secret text)/],
    [
      'the place of a key that is not there yet',
      { trusted: [`${'A'.repeat(43)}=`] },
      'is not in main/desktop',
    ],
  ])('refuses %s, with nothing written', async (_, change, words) => {
    const before = read('latest.yml');
    await expect(signFeeds({ folder, key, trusted, ...change })).rejects.toThrow(words);
    expect(read('latest.yml')).toBe(before);
  });

  it('refuses an announcement that is not true of the file beside it, with nothing written', async () => {
    put('Tilelift-Setup.exe', 'another');
    await expect(signFeeds({ folder, key, trusted })).rejects.toThrow(
      'latest.yml announces Tilelift-Setup.exe',
    );
    expect(read('beta-linux.yml')).not.toContain('signature');
  });

  it('refuses a folder without feed files', async () => {
    await expect(signFeeds({ folder: tmpdir(), key, trusted })).rejects.toThrow('no feed file');
  });
});
