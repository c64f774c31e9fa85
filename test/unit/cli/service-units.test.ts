import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../temporary-folder.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'build', 'service');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

const hasProgram = (program: string) => spawnSync(program, ['--version']).status === 0;

/** Reason to skip the unit's check, or null. */
const noSystemd = hasProgram('systemd-analyze') ? null : 'systemd-analyze is not on this computer';

describe('tilelift.service', () => {
  /** Writes the unit with a program that exists everywhere and without its man page. */
  function unit(): string {
    const at = temporaryFolder();
    const path = join(at, 'tilelift.service');
    const text = read('tilelift.service')
      .replace('/usr/bin/tilelift', '/bin/true')
      .replace(/^Documentation=.*\n/m, '');
    writeFileSync(path, text);
    return path;
  }

  it.skipIf(noSystemd)(
    `tilelift.service passes systemd-analyze verify${noSystemd ? `: ${noSystemd}` : ''}`,
    () => {
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit()], { encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    },
  );

  it.skipIf(noSystemd)(
    `tilelift.service keeps its exposure below 2.0${noSystemd ? `: ${noSystemd}` : ''}`,
    () => {
      const args = ['security', '--offline=true', '--threshold=20', unit()];
      const { status, stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
      expect(stdout).toContain('Overall exposure level');
      expect(status).toBe(0);
    },
  );

  it('tilelift.service matches the exit codes, notifications and credential name of the program', () => {
    const text = read('tilelift.service');
    for (const line of [
      'Type=notify',
      'NotifyAccess=all',
      'SuccessExitStatus=130 143',
      'LoadCredential=tilelift-token:',
      'LimitCORE=0',
      'Environment=HOME=%S/tilelift',
    ])
      expect(text).toContain(line);
  });
});

it.each(['org.tilelift.watch.plist', 'tilelift-task.xml'])(
  'service definitions for other systems: starts the service with valid XML: %s',
  (name) => {
    expect(XMLValidator.validate(read(name))).toBe(true);
    const text = JSON.stringify(new XMLParser({ processEntities: false }).parse(read(name)));
    expect(text).toMatch(/tilelift.*watch.*--rules/);
    expect(text).toMatch(/--home.*--log-file/);
  },
);

it('service definitions for other systems have guides that restrict a folder before they put the token and the rules there', () => {
  const guide = readFileSync(join(folder, '..', '..', 'docs', 'server-setup.md'), 'utf8');
  const [, mac = '', windows = ''] = guide.split(/^## (?:macOS|Windows)$/m);
  for (const [steps, text, definition] of [
    [['install -d -m 0700 -o _tilelift', 'token /usr/local/var/tilelift/token', 'launchctl'], mac, 'plist'],
    [['icacls $service /inheritance:r', 'Set-Content "$service\\token"', 'schtasks /create'], windows, 'xml'],
  ] as const) {
    const places = steps.map((step) => text.indexOf(step));
    expect(places, text).toEqual(places.filter((place) => place > 0).sort((a, b) => a - b));
    expect(text).toContain('Not yet run');
    expect(text).toContain(`.${definition}"`);
  }
});

it('service definitions for other systems: runs the container as an unprivileged user with a data volume', () => {
  const text = read('Containerfile');
  const user = /^USER (\d+):(\d+)$/m.exec(text);
  expect(Number(user?.[1])).toBeGreaterThan(0);
  expect(text.indexOf('USER ')).toBeGreaterThan(text.lastIndexOf('\nRUN '));
  expect(text).toContain('ENV TILELIFT_HOME=/var/lib/tilelift\nVOLUME /var/lib/tilelift');
});
