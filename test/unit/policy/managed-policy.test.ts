import { expect, it, vi } from 'vitest';
import { managedPolicy } from '../../../main/policy/managed-policy.ts';
import { openPolicy } from '../../../main/policy/open-policy.ts';

const log = { error: vi.fn(), info: vi.fn() };
const value = (name: string, kind: string, text: string) => ({
  ...{ name, kind },
  data: Buffer.from(text).toString('base64'),
});
const inRegistry = (values: unknown) =>
  managedPolicy('win32', { run: async () => '', powershell: async () => JSON.stringify(values) });

it('group policy on Windows is the policy of its values: switches, choices, texts and JSON', async () => {
  const policy = await inRegistry([
    value('updates.allowed', 'DWord', '0'),
    value('updates.channel', 'String', 'beta'),
    value('storage.plainHttp', 'DWord', '1'),
    value('caFile', 'String', 'C:\\certs\\süd.pem'),
    value('watch', 'MultiString', '{\n  "roots": ["D:\\\\Daten"]\n}'),
  ]);
  expect(policy?.path).toBe('HKLM\\Software\\Policies\\Tilelift');
  expect(JSON.parse(policy?.text ?? '')).toEqual({
    updates: { allowed: false, channel: 'beta' },
    storage: { plainHttp: true },
    caFile: 'C:\\certs\\süd.pem',
    watch: { roots: ['D:\\Daten'] },
  });
});

it('group policy on Windows is none without the key, and asks PowerShell only if there is one', async () => {
  const powershell = vi.fn();
  const run = async (_: string, [, key]: readonly string[]) =>
    key?.includes('Policies') ? Promise.reject(new Error('code 1')) : '';
  expect(await managedPolicy('win32', { run, powershell })).toBeNull();
  expect(powershell).not.toHaveBeenCalled();
});

it('group policy on Windows is found where an administrator has forbidden reg.exe', async () => {
  const run = async () => Promise.reject(new Error('code 1'));
  const powershell = async () => JSON.stringify([value('storage.plainHttp', 'DWord', '0')]);
  const policy = await managedPolicy('win32', { run, powershell });
  expect(JSON.parse(policy?.text ?? '')).toEqual({ storage: { plainHttp: false } });
});

it('a configuration profile on macOS is read as JSON, with the keys of the policy', async () => {
  const run = vi.fn(async () => '{"storage":{"plainHttp":false}}');
  const policy = await managedPolicy('darwin', { run, exists: () => true });
  expect(policy?.text).toBe('{"storage":{"plainHttp":false}}');
  expect(run).toHaveBeenCalledWith('/usr/bin/plutil', expect.arrayContaining([policy?.path]));
});

it('S88: the policy of a launch is that of device management, instead of the file', async () => {
  const text = '{ "storage": { "plainHttp": false } }';
  const policy = await openPolicy(Object(log), async () => ({ path: 'managed', text }));
  expect(policy).toMatchObject({ kind: 'in-force', policy: { storage: { plainHttp: false } } });
});

it('S89: the policy of a launch is unusable if device management can’t be read, so that no rule is ignored', async () => {
  const policy = await openPolicy(Object(log), async () => Promise.reject(new Error('no PowerShell')));
  expect(policy).toMatchObject({ kind: 'unusable', error: { code: 'policy-unreadable' } });
});
