import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { readHeld } from '../../../main/files/held-files.ts';
import { holdFolder } from '../../../main/files/held-folder.ts';
import { readAuthorityFile } from '../../../main/storage/authorities.ts';
import { parseLease, parseMark } from '../../../main/watch/model/lease-model.ts';
import { outcomeOf, shapeOf, type Target } from '../target.ts';
import { ourError } from './documented.ts';

let folder: string | null = null;

/** Writes the input to the same file each time. */
function fileOf(input: Buffer): string {
  folder ??= mkdtempSync(join(tmpdir(), 'tilelift-fuzz-'));
  const file = join(folder, 'input');
  writeFileSync(file, input);
  return file;
}

const owner = { instance: 'a', machine: 'm', host: 'h', pid: 1 };
const leases: Target = {
  name: 'leases',
  seeds: [
    JSON.stringify({
      ...{ version: 1, owner, session: 's', rule: 'r', patterns: null },
      ...{ renewedAt: '2026-11-28T12:00:00Z', beat: 1, resting: false },
    }),
    JSON.stringify({
      ...{ version: 1, owner, source: 's', identity: 'd', state: 'done', outcome: null },
      ...{ asset: { id: 1, service: null, uploaded: true }, content: null, files: ['a'] },
    }),
    '{}',
  ],
  words: ['"owner":{', '"instance":"', '"state":"done"', '"beat":', 'null'],
  run: async (input) => {
    const file = fileOf(input);
    await using handle = await holdFolder(dirname(file), []);
    const text = (await readHeld(handle, basename(file), 64 * 1024))?.text ?? '';
    return shapeOf(parseLease(text) ?? parseMark(text));
  },
};

const authorities: Target = {
  name: 'authority-files',
  seeds: ['-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'],
  words: ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----', '\n', 'MIIB'],
  run: (input) => outcomeOf(() => readAuthorityFile(fileOf(input)), ourError),
};

export const diskTargets: readonly Target[] = [leases, authorities];
