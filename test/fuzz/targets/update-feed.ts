import { parseUpdateInfo } from 'electron-updater/out/providers/Provider.js';
import { feedAddress, isSafe } from '../../../main/desktop/updates/installation.ts';
import { isNewer } from '../../../main/desktop/updates/update-policy.ts';
import { Escape, type Target } from '../target.ts';

const feed: Target = {
  name: 'update-feed',
  seeds: [
    `version: 9.9.9\nfiles:\n  - url: Tilelift-9.9.9.exe\n    sha512: ${'A'.repeat(86)}==\n    size: 1\npath: Tilelift-9.9.9.exe\nsha512: x\nreleaseDate: '2026-01-01T00:00:00.000Z'\n`,
    '{"version": "1.0.0-beta.2+x", "releaseDate": "2026-01-01", "files": []}',
    'a: &a [x, x]\nb: &b [*a, *a]\nversion: *b\n',
  ],
  words: [
    'version: ',
    'files:\n',
    '  - url: ',
    'sha512: ',
    'size: ',
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
      announced = parseUpdateInfo(text, 'latest.yml', new URL('https://feed.example/'));
    } catch (error) {
      // The library's own error, which the shell reports as `update-feed-unreadable`.
      return error instanceof Error ? 'unreadable' : 'odd';
    }
    const version = String((announced as { version?: unknown } | null)?.version);
    if (isNewer(version, '1.2.3') && !/^\d+\.\d+\.\d+/.test(version)) throw new Escape(version);
    return 'read';
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
