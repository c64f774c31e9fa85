import { expect, it } from 'vitest';
import { readFpmArguments } from '../../../tools/offline/fpm-arguments.mjs';

const packerArgs = [
  ...['-s', 'dir', '--force', '-t', 'deb', '-d', 'libc6', '-d', 'libgtk-3-0 | libgtk-3-0t64'],
  ...['--deb-recommends', 'gnome-keyring', '--deb-compression', 'xz', '--architecture', 'amd64'],
  ...['--after-install', '/tmp/in', '--after-remove', '/tmp/out', '--description', 'Short\n And long=er.'],
  ...['--version', '1.2.3~beta', '--package', '/dist/a.deb', '--name', 'tilelift'],
  ...['--maintainer', 'We <we@example.com>', '--vendor', 'We', '--url', 'https://example.com'],
  ...['--license', 'MIT', '--deb-priority', 'optional', 'LICENSE=/usr/share/doc/tilelift/copyright'],
  '/dist/linux-unpacked/=/opt/Tilelift',
];

it('readFpmArguments() reads every argument of electron-builder', () => {
  expect(readFpmArguments(packerArgs)).toEqual({
    type: 'deb',
    output: '/dist/a.deb',
    name: 'tilelift',
    version: '1.2.3~beta',
    architecture: 'amd64',
    description: 'Short\n And long=er.',
    maintainer: 'We <we@example.com>',
    vendor: 'We',
    url: 'https://example.com',
    license: 'MIT',
    category: 'default',
    priority: 'optional',
    summary: '',
    compression: 'xz',
    afterInstall: '/tmp/in',
    afterRemove: '/tmp/out',
    depends: ['libc6', 'libgtk-3-0 | libgtk-3-0t64'],
    recommends: ['gnome-keyring'],
    contents: [
      { from: 'LICENSE', to: '/usr/share/doc/tilelift/copyright' },
      { from: '/dist/linux-unpacked/', to: '/opt/Tilelift' },
    ],
  });
});

it('readFpmArguments() throws for an unknown argument', () => {
  expect(() => readFpmArguments([...packerArgs, '--deb-systemd', 'x'])).toThrow('--deb-systemd');
  expect(() => readFpmArguments(packerArgs.map((item) => (item === 'deb' ? 'pacman' : item)))).toThrow(
    'pacman',
  );
});

it('readFpmArguments() throws for a missing argument', () => {
  const withoutName = packerArgs.filter((argument) => argument !== '--name' && argument !== 'tilelift');
  expect(() => readFpmArguments(withoutName)).toThrow('name');
});
