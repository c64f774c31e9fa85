import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openJournal } from '../../../main/jobs/journal/journal.ts';

const minute = 60_000;

/** Writes a large old journal before Tilelift starts: cancelled uploads, the newest a minute old. */
export async function writeOldJobs(userData: string, count: number): Promise<void> {
  await mkdir(userData, { recursive: true });
  const journal = openJournal(join(userData, 'journal.db'));
  const begun = Date.now() - count * minute;
  for (let number = 0; number < count; number += 1) {
    const id = `old-${number}`;
    const createdAt = begun + number * minute;
    journal.addJob({
      id,
      accountId: 'somebody',
      paths: [`/data/tiles/33_${number}`],
      body: { name: `Kachel 33_${number}`, type: '3DTILES', options: { sourceType: 'CITYGML' } },
      createdAt,
      acceptForecast: false,
    });
    journal.append(id, { kind: 'cancelled', at: createdAt + minute / 2 });
  }
  journal.close();
}
