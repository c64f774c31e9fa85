import { isAbsolute } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { givenPaths } from '../../../../main/desktop/launch/given-paths.ts';

const program = '/opt/Tilelift/tilelift';
const given = (...args: string[]) => givenPaths([program, ...args], [program]);

describe.skipIf(process.platform === 'win32')('the paths that a launch was given', () => {
  it('are the absolute ones, each once', () => {
    expect(given('/data/Flight 12', '/data/dem.tif', '/data/Flight 12')).toEqual([
      '/data/Flight 12',
      '/data/dem.tif',
    ]);
  });

  it('may come as addresses of files, as file managers on Linux give them', () => {
    expect(given('file:///data/Flug%20%C3%BCber%20Wien')).toEqual(['/data/Flug über Wien']);
  });

  it.each([
    ['options', ['--background', '--user-data-dir=/tmp/x', '-v']],
    ['relative paths', ['flight', './flight', '../flight', '.']],
    [
      'other addresses',
      ['https://example.com/data', 'app://tilelift/', 'file://server/share', 'file:///a%2fb'],
    ],
    ['broken ones', ['file:///%zz', '/data/\0', 'file:///data%00', '']],
    ['the program itself', ['/opt/Tilelift/../Tilelift/tilelift']],
  ])('are not %s', (_what, args) => {
    expect(given(...args)).toEqual([]);
  });

  it('are none beside a link, which another program may have written', () => {
    expect(given('tilelift://oauth/callback?code=a&state=b', '/data/Flight')).toEqual([]);
    expect(given('/data/Flight', 'TILELIFT:x')).toEqual([]);
  });

  it('are absolute whatever was given', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.webUrl(),
            fc.string().map((s) => `file://${s}`),
          ),
        ),
        (args) => {
          for (const path of givenPaths(args, [])) {
            expect(isAbsolute(path)).toBe(true);
            expect(path).not.toContain('\0');
          }
        },
      ),
    );
  });
});
