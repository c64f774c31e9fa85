import { afterEach, expect, it, vi } from 'vitest';
import { policyPath } from '../../../main/policy/policy-file.ts';

afterEach(() => vi.unstubAllEnvs());

it.each([
  ['linux', '/etc/tilelift/policy.json'],
  ['darwin', '/Library/Application Support/Tilelift/policy.json'],
  ['win32', 'C:\\ProgramData\\Tilelift\\policy.json'],
  ['aix', null],
] as const)('policyPath() of %s is %s', (platform, path) => expect(policyPath(platform)).toBe(path));

it('policyPath() ignores the user’s environment', () => {
  for (const name of ['ProgramData', 'PROGRAMDATA', 'ALLUSERSPROFILE', 'SystemDrive', 'XDG_CONFIG_DIRS'])
    vi.stubEnv(name, 'D:\\mine');
  expect(policyPath('win32')).toBe('C:\\ProgramData\\Tilelift\\policy.json');
  expect(policyPath('linux')).toBe('/etc/tilelift/policy.json');
});
