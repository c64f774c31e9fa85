import { expect, it } from 'vitest';
import { missingPackages } from '../../../scripts/setup/system.mjs';

it('only missing system packages are installed', () => {
  const packages = { dpkg: '/usr/bin/dpkg-deb', rpm: '/usr/bin/rpmbuild' };
  expect(missingPackages(packages, (file) => file === '/usr/bin/dpkg-deb')).toEqual(['rpm']);
  expect(missingPackages(packages, () => true)).toEqual([]);
});
