import { expect, it } from 'vitest';
import { authorityFiles } from '../../../main/policy/authority-files.ts';
import { governSettings } from '../../../main/policy/governed-settings.ts';
import { noPolicy, type PolicyState, policyIn } from '../../../main/policy/policy.ts';
import { settingsInMemory } from '../account/stand-ins.ts';

const policyWithFile: PolicyState = { kind: 'in-force', path: '/p', policy: { caFile: '/etc/office.pem' } };

function filesUnder(policy: PolicyState) {
  const ownSettings = settingsInMemory();
  ownSettings.update({ network: { ...ownSettings.get().network, caFile: '/home/me/mine.pem' } });
  return authorityFiles(policy, governSettings(ownSettings, policyIn(policy)));
}

it('S46: a user’s certificate authority applies to services, not to updates', () => {
  const files = filesUnder(noPolicy);
  expect(files.forServices()).toBe('/home/me/mine.pem');
  expect(files.forUpdates()).toBeNull();
});

it('the administrator’s certificate authority applies to both', () => {
  const files = filesUnder(policyWithFile);
  expect(files.forServices()).toBe('/etc/office.pem');
  expect(files.forUpdates()).toBe('/etc/office.pem');
});
