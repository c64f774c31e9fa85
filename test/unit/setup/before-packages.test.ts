import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../scripts/setup/packages.mjs';
import { run } from '../../../scripts/setup/run.mjs';
import { temporaryFolder } from '../../temporary-folder.ts';

/** The first scripts of a new clone must load before installation. */
it.each(['test/steps.mjs', 'package/unpacked-app.mjs', 'setup/electron.mjs', 'setup/system.mjs'])(
  'a new clone loads scripts/%s without installed packages',
  async (entry) => {
    const clone = temporaryFolder();
    for (const folder of ['scripts', 'tools'])
      cpSync(join(root, folder), join(clone, folder), { recursive: true });
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(root, file), join(clone, file));
    const { code, output } = await run(process.execPath, ['-e', `import('./scripts/${entry}')`], {
      cwd: clone,
      quiet: true,
    });
    expect(output).toBe('');
    expect(code).toBe(0);
  },
);
