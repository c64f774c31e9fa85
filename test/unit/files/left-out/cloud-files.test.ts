import { expect, it } from 'vitest';
import { cloudOf, isOnlyInCloud, placeholderOf } from '../../../../main/files/left-out/cloud-files.ts';

it.each([
  ['.ortho.tif.icloud', { name: 'ortho.tif', service: 'iCloud Drive' }],
  ['ortho.tif.nextcloud', { name: 'ortho.tif', service: 'Nextcloud' }],
  ['ortho.tif.owncloud', { name: 'ortho.tif', service: 'ownCloud' }],
  ['ortho.tif', null],
  ['.icloud', null],
  ['icloud', null],
  ['my.icloud.tif', null],
])('placeholderOf() classifies %s', (name, stands) => {
  expect(placeholderOf(name)).toEqual(stands);
});

it.each([
  ['C:\\Users\\anna\\OneDrive - Stadt Köln\\Befliegung', 'OneDrive'],
  ['/Users/anna/Library/CloudStorage/OneDrive-StadtKöln/in', 'OneDrive'],
  ['/Users/anna/Library/Mobile Documents/com~apple~CloudDocs/in', 'iCloud Drive'],
  ['/Users/anna/Library/CloudStorage/GoogleDrive-anna@x.example/My Drive', 'Google Drive'],
  ['/home/anna/Dropbox (Office)/in', 'Dropbox'],
  ['/home/anna/Nextcloud2/in', 'Nextcloud'],
  ['/home/anna/boxes/in', null],
  ['/srv/onedriver/in', null],
])('cloudOf() detects the service of a folder by its name in %s', (path, service) => {
  expect(cloudOf(path)).toBe(service);
});

it.each([
  ['that has its size and no room on the disk', '/home/anna/OneDrive/a.tif', 5_000_000, 0, true],
  ['not when it has some', '/home/anna/OneDrive/a.tif', 5_000_000, 4_096, false],
  ['not when it is small enough to be kept beside its name', 'C:\\Users\\a\\OneDrive\\a.tfw', 80, 0, false],
  ['not outside a cloud service’s folder: it may be sparse', '/srv/in/a.tif', 5_000_000, 0, false],
  ['not where the system doesn’t say', '/home/anna/OneDrive/a.tif', 5_000_000, Number.NaN, false],
])('isOnlyInCloud() detects a file %s', (_, path, size, allocated, answer) => {
  expect(isOnlyInCloud(path, size, allocated)).toBe(answer);
});
