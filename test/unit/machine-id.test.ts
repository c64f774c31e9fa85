import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { keptMachineId, type MachineSources, machineId } from '../../main/machine-id.ts';
import { machineOf } from '../../main/watch/model/lease-model.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const id = '0f1e2d3c4b5a69788796a5b4c3d2e1f0';
const guid = '4c4c4544-0042-3610-8059-b7c04f4d3232';
const sources = (change: Partial<MachineSources>): MachineSources => ({
  platform: 'linux',
  env: { SystemRoot: 'D:\\Windows' },
  readText: () => null,
  ask: async () => null,
  ...change,
});

it('machineId() is systemd’s or D-Bus’s id on Linux', async () => {
  expect(await machineId(sources({ readText: () => `${id}\n` }))).toBe(id);
  const readText = (path: string) => (path === '/var/lib/dbus/machine-id' ? id : null);
  expect(await machineId(sources({ readText }))).toBe(id);
});

it('machineId() is the installation’s id on Windows, from the system’s own program', async () => {
  const ask = vi.fn(async () => `\r\n    MachineGuid    REG_SZ    ${guid.toUpperCase()}\r\n\r\n`);
  expect(await machineId(sources({ platform: 'win32', ask }))).toBe(guid);
  expect(ask).toHaveBeenCalledWith('D:\\Windows\\System32\\reg.exe', expect.any(Array));
});

it('machineId() is the hardware’s id on macOS', async () => {
  const ask = async () => `  "IOPlatformUUID" = "${guid.toUpperCase()}"`;
  expect(await machineId(sources({ platform: 'darwin', ask }))).toBe(guid);
});

it.each(['', 'uninitialized', '00000000000000000000000000000000', '../../etc', 'x'.repeat(500)])(
  'machineId() rejects “%s”',
  async (text) => expect(await machineId(sources({ readText: () => text }))).toBeNull(),
);

it('machineId() is generated once if missing, and readable only by its owner', () => {
  const folder = temporaryFolder();
  const machineId = keptMachineId(join(folder, 'local'));
  expect(machineId).toMatch(/^[0-9a-f-]{36}$/);
  expect(keptMachineId(join(folder, 'local'))).toBe(machineId);
  expect(statSync(join(folder, 'local', 'machine')).mode & 0o077).toBe(0);
  expect(keptMachineId(join(folder, 'local', 'machine', 'no folder'))).toBeNull();
});

it('machineId() is hashed in leases, differently for each data folder', () => {
  expect(machineOf(id, '/data')).not.toContain(id);
  expect(machineOf(id, '/data')).toBe(machineOf(id, '/data'));
  expect(machineOf(id, '/data')).not.toBe(machineOf(id, '/copy of data'));
  expect(machineOf(id, '/data')).not.toBe(machineOf(guid, '/data'));
});
