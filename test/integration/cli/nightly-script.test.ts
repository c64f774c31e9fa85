import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { script, signedInHouse, smallCity } from './run-cli.ts';

const documentPath = join(import.meta.dirname, '..', '..', '..', 'docs', 'cli.md');

describe.skipIf(process.platform === 'win32')('the script in docs/cli.md', () => {
  it('the script in docs/cli.md uploads each delivery, retries, and reports', async () => {
    const [, code = ''] = /```sh\n([\s\S]*?)```/.exec(await readFile(documentPath, 'utf8')) ?? [];
    expect(code.split('\n').length).toBeLessThanOrEqual(41);
    const house = await signedInHouse();
    const at = (...names: readonly string[]) => join(house.folder, ...names);
    for (const name of ['north', 'south', 'empty']) await mkdir(at('deliveries', name), { recursive: true });
    await smallCity(at('deliveries', 'north'));
    await smallCity(at('deliveries', 'south'));
    await writeFile(at('deliveries', 'south', 'draft.tmp'), 'unfinished');
    await mkdir(at('bin'));
    const command = `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@" --home '${house.home}'\n`;
    await writeFile(at('bin', 'tilelift'), command, { mode: 0o755 });
    await writeFile(at('nightly.sh'), code);

    const child = spawn('bash', [at('nightly.sh'), at('deliveries'), at('reports')], {
      env: {
        ...{ PATH: `${at('bin')}:${process.env.PATH}`, HOME: house.folder, LC_ALL: 'C.UTF-8' },
        ...{
          TILELIFT_POLL_MS: '100',
          RETRY_SECONDS: '0',
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);

    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/^1 deliveries failed; see .*errors\.log\n$/),
    });
    expect(stdout).toMatch(
      /^delivery\tcode\tasset\tresult\nempty\t2\t-\tsource-empty\nnorth\t0\t\d+\tcomplete\nsouth\t0\t\d+\tcomplete\n$/,
    );
    const [day = ''] = await readdir(at('reports'));
    const receipt = JSON.parse(await readFile(at('reports', day, 'south.receipt.json'), 'utf8'));
    expect(receipt).toMatchObject([{ outcome: 'complete', files: [{ key: 'city.gml' }] }]);
  });
});
