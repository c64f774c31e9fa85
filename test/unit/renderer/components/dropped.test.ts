import { expect, it } from 'vitest';
import { type DroppedEntry, meaningOfDrop } from '../../../../renderer/components/frame/dropped.ts';

const folder: DroppedEntry = { path: '/data/flights', isFolder: true };
const file: DroppedEntry = { path: '/data/ortho.tif', isFolder: false };
const onUploads = { editsRule: false, onWatch: false, signedIn: true };
const onWatch = { ...onUploads, onWatch: true };

it('meaningOfDrop() creates an asset except on the watched folders', () => {
  expect(meaningOfDrop([folder, file], onUploads)).toEqual({
    kind: 'asset',
    paths: [folder.path, file.path],
  });
});

it('meaningOfDrop() creates a rule for a folder dropped on the watched folders', () => {
  expect(meaningOfDrop([folder], onWatch)).toEqual({ kind: 'new-rule', path: folder.path });
});

it('meaningOfDrop() explains why the watched folders refuse anything else', () => {
  expect(meaningOfDrop([file], onWatch)).toEqual({ kind: 'refused', why: 'folderOnly' });
  expect(meaningOfDrop([folder, folder], onWatch)).toEqual({ kind: 'refused', why: 'oneFolder' });
  expect(meaningOfDrop([], onWatch)).toEqual({ kind: 'refused', why: 'noPlace' });
});

it('meaningOfDrop() sets the folder of an edited rule, even while signed out', () => {
  const place = { editsRule: true, onWatch: true, signedIn: false };
  expect(meaningOfDrop([folder], place)).toEqual({ kind: 'folder-of-rule', path: folder.path });
});

it('meaningOfDrop() does nothing while signed out', () => {
  expect(meaningOfDrop([folder], { ...onWatch, signedIn: false })).toEqual({ kind: 'nothing' });
});
