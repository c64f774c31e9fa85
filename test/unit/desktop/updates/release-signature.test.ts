import { sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  feedSystem,
  isReleaseKey,
  isSigned,
  type ReleaseStatement,
  readStatement,
  statementText,
} from '../../../../main/desktop/updates/release-signature.ts';
import { makeReleaseKey } from '../../../updates/feed.ts';

const { publicKey, privateKey } = makeReleaseKey();
const statement: ReleaseStatement = {
  system: 'linux',
  channel: 'latest',
  version: '1.2.3',
  releasedAt: '2026-11-20T10:00:00.000Z',
  files: [{ url: 'Tilelift.AppImage', size: 12, sha512: 'abc=' }],
};
const signatureFor = (of: ReleaseStatement) =>
  sign(null, Buffer.from(statementText(of)), privateKey).toString('base64');

describe('the signature of a release', () => {
  it('stands for exactly what was signed', () => {
    const feed = { signature: signatureFor(statement) };
    expect(isSigned(feed, statement, [publicKey])).toBe(true);
    const others: readonly Partial<ReleaseStatement>[] = [
      { system: 'windows' },
      { channel: 'beta' },
      { version: '9.9.9' },
      { releasedAt: '2027-01-01T00:00:00.000Z' },
      { files: [{ url: 'Tilelift.AppImage', size: 13, sha512: 'abc=' }] },
      { files: [{ url: 'Tilelift.AppImage', size: 12, sha512: 'abd=' }] },
      { files: [{ url: 'Other.AppImage', size: 12, sha512: 'abc=' }] },
      { files: [...statement.files, ...statement.files] },
    ];
    for (const other of others) expect(isSigned(feed, { ...statement, ...other }, [publicKey])).toBe(false);
  });

  it('by nobody whose key is known is none', () => {
    const feed = { signature: signatureFor(statement) };
    expect(isSigned(feed, statement, [])).toBe(false);
    expect(isSigned(feed, statement, [makeReleaseKey().publicKey])).toBe(false);
    expect(isSigned({}, statement, [publicKey])).toBe(false);
    expect(isSigned({ signature: 'short' }, statement, [publicKey])).toBe(false);
  });

  it('covers a text that two different releases never share', () => {
    const word = fc.stringMatching(/^[^\s]{1,12}$/);
    const file = fc.record({ url: word, size: fc.nat(), sha512: word });
    const release = fc.record({
      system: word,
      channel: word,
      version: word,
      releasedAt: word,
      files: fc.array(file, { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(release, release, (one, other) => {
        const same = JSON.stringify(one) === JSON.stringify(other);
        expect(statementText(one) === statementText(other)).toBe(same);
      }),
    );
  });

  it('is not read from an announcement with words that could begin a line of their own', () => {
    const file = { url: 'a.AppImage', size: 1, sha512: 'x' };
    const feed = { version: '1.0.0', releaseDate: '2026-11-20T10:00:00.000Z', files: [file] };
    expect(readStatement(feed, 'latest', 'linux').version).toBe('1.0.0');
    for (const change of [
      { version: '1.0.0\nfile 1 x evil' },
      { version: undefined },
      { files: [] },
      { files: [{ ...file, url: 'a b' }] },
      { files: [{ ...file, size: -1 }] },
    ])
      expect(() => readStatement({ ...feed, ...change }, 'latest', 'linux')).toThrow();
  });
});

describe('the names of systems', () => {
  it('are those of the feed files', () => {
    expect(feedSystem('win32', 'arm64')).toBe('windows');
    expect(feedSystem('darwin', 'arm64')).toBe('mac');
    expect(feedSystem('linux', 'x64')).toBe('linux');
    expect(feedSystem('linux', 'arm64')).toBe('linux-arm64');
  });
});

describe('a release key', () => {
  it('has 32 bytes that are not all zero', () => {
    expect(isReleaseKey(publicKey)).toBe(true);
    expect(isReleaseKey(`${'A'.repeat(43)}=`)).toBe(false);
    expect(isReleaseKey('AAAA')).toBe(false);
  });
});
