import { describe, expect, it } from 'vitest';
import { type DroppedEntry, meaningOfDrop } from '../../../../renderer/components/frame/dropped.ts';

const folder: DroppedEntry = { path: '/data/flights', isFolder: true };
const file: DroppedEntry = { path: '/data/ortho.tif', isFolder: false };
const onUploads = { editsRule: false, onWatch: false, signedIn: true };
const onWatch = { ...onUploads, onWatch: true };

describe('a drop', () => {
  it('becomes an asset everywhere but on the watched folders', () => {
    expect(meaningOfDrop([folder, file], onUploads)).toEqual({
      kind: 'asset',
      paths: [folder.path, file.path],
    });
  });

  it('of a folder on the watched folders makes a rule for it', () => {
    expect(meaningOfDrop([folder], onWatch)).toEqual({ kind: 'new-rule', path: folder.path });
  });

  it('of anything else there is told why not', () => {
    expect(meaningOfDrop([file], onWatch)).toEqual({ kind: 'refused', why: 'folderOnly' });
    expect(meaningOfDrop([folder, folder], onWatch)).toEqual({ kind: 'refused', why: 'oneFolder' });
    expect(meaningOfDrop([], onWatch)).toEqual({ kind: 'refused', why: 'noPlace' });
  });

  it('on a rule that is being edited gives it its folder, also while nobody is signed in', () => {
    const place = { editsRule: true, onWatch: true, signedIn: false };
    expect(meaningOfDrop([folder], place)).toEqual({ kind: 'folder-of-rule', path: folder.path });
  });

  it('does nothing while nobody is signed in', () => {
    expect(meaningOfDrop([folder], { ...onWatch, signedIn: false })).toEqual({ kind: 'nothing' });
  });
});
