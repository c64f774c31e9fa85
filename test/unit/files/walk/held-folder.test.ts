import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { holdFolder } from '../../../../main/files/walk/held-folder.ts';

it.runIf(process.platform === 'linux')(
  'the way to the files of a held folder has one link, that of the open folder: each is followed for each file',
  () => {
    const folder = realpathSync(tmpdir());
    const held = holdFolder(folder, folder);
    try {
      expect(realpathSync(held.root)).toBe(folder);
      const shown = dirname(held.root);
      expect(realpathSync(shown)).toBe(shown);
    } finally {
      held.close();
    }
  },
);
