import { describe, expect, it } from 'vitest';
import { controlText } from '../../../scripts/package/deb.mjs';
import type { PackageOrder } from '../../../tools/offline/fpm-arguments.mjs';
import { specText } from '../../../tools/offline/rpm.mjs';

const order: PackageOrder = {
  type: 'deb',
  output: '/dist/a.deb',
  name: 'tilelift',
  version: '1.2.3',
  architecture: 'amd64',
  description: 'Uploader\n First paragraph.\n\n Second.',
  maintainer: 'We <we@example.com>',
  vendor: '',
  url: 'https://example.com',
  license: 'MIT',
  category: 'science',
  priority: 'optional',
  summary: '',
  compression: 'xz',
  afterInstall: '/in',
  afterRemove: '/out',
  depends: ['libc6', 'libnss3'],
  recommends: [],
  contents: [],
};

it('the control file of a deb omits empty fields and writes blank lines of the description like Debian', () => {
  expect(controlText(order, 300)).toBe(
    [
      'Package: tilelift',
      'Version: 1.2.3',
      'License: MIT',
      'Architecture: amd64',
      'Maintainer: We <we@example.com>',
      'Installed-Size: 300',
      'Depends: libc6, libnss3',
      'Section: science',
      'Priority: optional',
      'Homepage: https://example.com',
      'Description: Uploader',
      ' First paragraph.',
      ' .',
      ' Second.',
      '',
    ].join('\n'),
  );
});

describe('the spec file of an rpm', () => {
  const files = ['opt/Tilelift/100%.pak', 'opt/Tilelift/locales/de.pak', 'usr/share/applications/t.desktop'];
  const spec = specText(order, files, { post: 'echo 50%', postun: 'rm -f /x' });

  it('the spec file of an rpm lists the files and only its own folders', () => {
    expect(spec).toContain('"/opt/Tilelift/locales/de.pak"');
    expect(spec.split('\n').filter((line) => line.startsWith('%dir'))).toEqual([
      '%dir "/opt/Tilelift"',
      '%dir "/opt/Tilelift/locales"',
    ]);
  });

  it('the spec file of an rpm escapes macros', () => {
    expect(spec).toContain('"/opt/Tilelift/100%%.pak"');
    expect(spec).toContain('echo 50%%');
  });

  it('the spec file of an rpm reverts its setup on removal, not on update', () => {
    expect(spec).toContain('%postun -p /bin/bash\nif [ "$1" -eq 0 ]; then\nrm -f /x\nfi\n');
  });
});
