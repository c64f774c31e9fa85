import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accountIdOf } from '../../../main/account/model/model.ts';
import { openJournal } from '../../../main/jobs/journal/journal.ts';
import type { ErrorRecord } from '../../../shared/errors.ts';
import type { Journey } from './journey.ts';

export const half = 150;

const minute = 60_000;
const unreachable: ErrorRecord = { code: 'service-unreachable', retryable: true };

/**
 * Writes a journal with 300 uploads, `tile-0` to `tile-299`, before Tilelift starts: the first half failed
 * and can be retried, the other half waits in order. Each has its own file.
 */
export async function writeThreeHundredJobs({ folder, userData, service }: Journey): Promise<void> {
  await mkdir(userData, { recursive: true });
  const journal = openJournal(join(userData, 'journal.db'));
  const begun = Date.now() - 2 * half * minute;
  for (let number = 0; number < 2 * half; number += 1) {
    const id = `tile-${number}`;
    const source = join(folder, 'tiles', `33_${number}.gml`);
    await mkdir(join(folder, 'tiles'), { recursive: true });
    await writeFile(source, '<CityModel/>');
    const createdAt = begun + number * minute;
    journal.addJob({
      id,
      accountId: accountIdOf(service.baseUrl),
      paths: [source],
      body: { name: `Kachel 33_${number}`, type: '3DTILES', options: { sourceType: 'CITYGML' } },
      createdAt,
      acceptForecast: false,
    });
    if (number >= half) continue;
    journal.append(id, { kind: 'started', at: createdAt });
    journal.append(id, { kind: 'failed', at: createdAt + minute / 2, error: unreachable });
  }
  journal.close();
}
