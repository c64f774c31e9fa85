import { expect, it } from 'vitest';
import { entryKind, visibleName } from '../../../../main/files/walk/read-folder.ts';

const entry = (kind: 'file' | 'folder' | 'link' | 'socket') => ({
  isFile: () => kind === 'file',
  isDirectory: () => kind === 'folder',
  isSymbolicLink: () => kind === 'link',
});
const failOnCall = () => {
  throw new Error('was asked');
};

it('entryKind() follows the directory listing', () => {
  for (const kind of ['file', 'folder'] as const)
    expect(entryKind(entry(kind), failOnCall, 'win32')).toBe(kind);
  expect(entryKind(entry('socket'), failOnCall, 'linux')).toBe('other');
  expect(entryKind(entry('link'), failOnCall, 'linux')).toBe('link');
});

it('entryKind() treats Windows links as files if a stat says so: deduplicated or compressed', () => {
  expect(entryKind(entry('link'), () => true, 'win32')).toBe('file');
  expect(entryKind(entry('link'), () => false, 'win32')).toBe('link');
});

it('S64: visibleName() shows bytes that are not UTF-8 and keeps the rest', () => {
  expect(visibleName(Buffer.from('Gel\xe4nde.tif', 'latin1'))).toBe('Gel\\xE4nde.tif');
  expect(visibleName(Buffer.from('Gelände \ufffd 🗺.tif'))).toBe('Gelände \ufffd 🗺.tif');
  expect(visibleName(Buffer.from('e282', 'hex'))).toBe('\\xE2\\x82');
});
