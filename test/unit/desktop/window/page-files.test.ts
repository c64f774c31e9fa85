import { sep } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pageAddress, pageFile } from '../../../../main/desktop/window/page-files.ts';

const folder = ['', 'opt', 'pages'].join(sep);

it('pageFile() returns the index for the bare address', () => {
  expect(pageFile(folder, pageAddress)).toEqual({
    file: `${folder}${sep}index.html`,
    contentType: 'text/html; charset=utf-8',
  });
});

it('pageFile() sets the content type by extension', () => {
  expect(pageFile(folder, `${pageAddress}assets/a.js`)?.contentType).toBe('text/javascript; charset=utf-8');
});

it.each([
  'app://elsewhere/index.html',
  'file:///opt/pages/index.html',
  'app://tilelift.evil/index.html',
  `${pageAddress}secret.node`,
  `${pageAddress}%ff.html`,
])('pageFile() is undefined for %s', (address) => expect(pageFile(folder, address)).toBeUndefined());

it('pageFile() never leaves the folder', () => {
  const piece = fc.constantFrom('..', '%2e%2e', '%2E.', '%2f', '%5c', 'a', '/', '\\', 'index.html', '.');
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const result = pageFile(folder, `${pageAddress}${pieces.join('/')}`);
      if (result) expect(result.file.startsWith(folder + sep)).toBe(true);
    }),
  );
});
