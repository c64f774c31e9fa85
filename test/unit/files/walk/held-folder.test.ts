import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { holdFolder } from '../../../../main/files/walk/held-folder.ts';

it.runIf(process.platform === 'linux')(
  'a held folder’s path contains a single link, that of the open folder, resolved for each file',
  () => {
    const folder = realpathSync(tmpdir());
    const held = holdFolder(folder, folder);
    try {
      expect(realpathSync(held.root)).toBe(folder);
      const shown = dirname(held.root);
      expect(realpathSync(shown)).toBe(shown);
    } finally {
      held.dispose();
    }
  },
);
