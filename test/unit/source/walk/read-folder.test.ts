import { expect, it } from 'vitest';
import { entryKind } from '../../../../main/source/walk/read-folder.ts';

const entry = (kind: 'file' | 'folder' | 'link' | 'socket') => ({
  isFile: () => kind === 'file',
  isDirectory: () => kind === 'folder',
  isSymbolicLink: () => kind === 'link',
});
const never = () => {
  throw new Error('was asked');
};

it('an entry is what the listing calls it', () => {
  for (const kind of ['file', 'folder'] as const) expect(entryKind(entry(kind), never, 'win32')).toBe(kind);
  expect(entryKind(entry('socket'), never, 'linux')).toBe('other');
  expect(entryKind(entry('link'), never, 'linux')).toBe('link');
});

it('what Windows calls a link is a file where a look says so: deduplicated, compressed by the system', () => {
  expect(entryKind(entry('link'), () => true, 'win32')).toBe('file');
  expect(entryKind(entry('link'), () => false, 'win32')).toBe('link');
});
