import { parseUpdateInfo } from 'electron-updater/out/providers/Provider.js';
import { feedAddress, isSafe } from '../../../main/desktop/updates/installation.ts';
import { isSigned, readStatement, statementText } from '../../../main/desktop/updates/release-signature.ts';
import { isNewer } from '../../../main/desktop/updates/update-policy.ts';
import { Escape, type Target } from '../target.ts';

/** The public key of RFC 8032 7.1, test 1: nothing here is signed with it. */
const key = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex').toString(
  'base64',
);

const feed: Target = {
  name: 'update-feed',
  seeds: [
    `version: 9.9.9\nfiles:\n  - url: Tilelift-9.9.9.AppImage\n    sha512: ${'A'.repeat(86)}==\n    size: 1\npath: Tilelift-9.9.9.AppImage\nsha512: x\nreleaseDate: '2026-01-01T00:00:00.000Z'\nsignature: ${'A'.repeat(86)}==\n`,
    '{"version": "1.0.0-beta.2+x", "releaseDate": "2026-01-01", "files": []}',
    'a: &a [x, x]\nb: &b [*a, *a]\nversion: *b\n',
  ],
  words: [
    'version: ',
    'files:\n',
    '  - url: ',
    'sha512: ',
    'size: ',
    'signature: ',
    '&a ',
    '*a',
    '!!js/function ',
    '<<: *a',
    '|\n',
    '>-\n',
    '---\n',
  ],
  run: (input) => {
    const text = input.toString();
    let announced: unknown;
    try {
      announced = parseUpdateInfo(text, 'latest-linux.yml', new URL('https://feed.example/'));
    } catch (error) {
      // The library's own: the shell says `update-feed-unreadable`, or as it may be.
      return error instanceof Error ? 'unreadable' : 'odd';
    }
    const version = String((announced as { version?: unknown } | null)?.version);
    isNewer(version, '1.2.3');
    try {
      const statement = readStatement(announced, 'latest', 'linux');
      if (isSigned(announced, statement, [key])) throw new Escape('taken without a signature');
      return `statement ${statementText(statement).split('\n').length > 6}`;
    } catch (error) {
      if (error instanceof Escape) throw error;
      return error instanceof Error ? error.name : 'odd';
    }
  },
};

const configuration: Target = {
  name: 'update-address',
  seeds: [
    'provider: generic\nurl: https://updates.example/tilelift\n',
    "url: 'http://127.0.0.1:1/'",
    'url: https://x.invalid',
  ],
  words: ['url: ', 'http://', 'https://', '127.0.0.1', '@', "'", '"', '\n'],
  run: (input) => {
    const address = feedAddress(input.toString());
    if (address && address.protocol !== 'https:' && !['127.0.0.1', '[::1]'].includes(address.hostname))
      throw new Escape(address.href);
    return address ? `${address.protocol} ${isSafe(address, address)}` : 'none';
  },
};

export const updateTargets: readonly Target[] = [feed, configuration];
