import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { openFolderToRead } from '../../../../main/files/walk/folder-to-read.ts';

it.runIf(process.platform === 'linux')(
  'a held folder’s path contains a single link, that of the open folder, resolved for each file',
  () => {
    const folder = realpathSync(tmpdir());
    const heldFolder = openFolderToRead(folder, folder);
    try {
      expect(realpathSync(heldFolder.root)).toBe(folder);
      const heldPath = dirname(heldFolder.root);
      expect(realpathSync(heldPath)).toBe(heldPath);
    } finally {
      heldFolder.dispose();
    }
  },
);
