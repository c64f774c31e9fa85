import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { EmbeddedService, ServiceSettings } from '../../service/model.ts';
import { startEmbeddedService } from '../../service/start-service.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { scopes } from './house.ts';

const mebibyte = 1024 * 1024;
let folder: string;
let service: EmbeddedService;
let token: string;
let child: ChildProcess | null = null;

async function beginHouse(settings: Partial<ServiceSettings> = {}) {
  service = await startEmbeddedService({ tilingMs: 30, ...settings });
  token = service.control.makeAccessToken(scopes);
}

beforeEach(async () => {
  folder = temporaryFolder();
});
afterEach(async () => {
  if (child?.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await service.stop();
});

const lineShape = z.object({
  partsDone: z.number().optional(),
  status: z.string().optional(),
  error: z.unknown().optional(),
  growth: z.number().optional(),
});
type Line = z.infer<typeof lineShape>;

/** Starts the uploader and returns its first line that matches; it keeps running. */
async function runUntil(source: string, isMatch: (line: Line) => boolean): Promise<Line> {
  const { baseUrl, authUrl } = service;
  const script = join(import.meta.dirname, 'uploader-process.ts');
  const settings = JSON.stringify({ baseUrl, authUrl, token, folder, source });
  child = spawn(process.execPath, [script, settings], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (!child.stdout) throw new Error('no output to read');
  for await (const text of createInterface({ input: child.stdout })) {
    const line = lineShape.parse(JSON.parse(text));
    if (isMatch(line)) return line;
  }
  throw new Error('the uploader ended before that');
}

async function kill() {
  child?.kill('SIGKILL');
  if (child) await once(child, 'exit');
}

const hasEnded = (line: Line) => line.status !== undefined;

describe('killed upload process', () => {
  it('C33: loses and duplicates nothing, however often it is killed', async () => {
    await beginHouse();
    const bytes = randomBytes(60 * mebibyte);
    const source = join(folder, 'scan.las');
    await writeFile(source, bytes);
    // In each run two parts arrive; the other requests never get a response.
    for (let partsDone = 2; partsDone <= 6; partsDone += 2) {
      service.control.addFault({
        match: { room: 'storage', method: 'PUT', path: 'partNumber=', after: 2, times: 1000 },
        action: { kind: 'stall' },
      });
      await runUntil(source, (line) => line.partsDone === partsDone);
      await kill();
      service.control.clearFaults();
    }

    const lastLine = await runUntil(source, hasEnded);

    expect(lastLine).toMatchObject({ status: 'complete', error: null });
    const [asset, ...otherAssets] = service.control.assets();
    expect(otherAssets).toEqual([]);
    expect(await service.control.objects(`sources/${asset?.id}/`)).toMatchObject([
      { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
    ]);
    const arrivedParts = service.control
      .requests()
      .filter(
        ({ path, method, status }) => method === 'PUT' && path.includes('partNumber=') && status === 200,
      );
    expect(arrivedParts).toHaveLength(8);
  }, 60_000);
});

describe('memory of an upload', () => {
  it('bounds memory while uploading a file of 1 GiB', async () => {
    await beginHouse({ keepObjects: 'discard' });
    const source = join(folder, 'sparse.las');
    const handle = await open(source, 'w');
    await handle.truncate(1024 * mebibyte);
    await handle.close();

    const lastLine = await runUntil(source, hasEnded);

    expect(lastLine).toMatchObject({ status: 'complete', error: null });
    // About 30 of these belong to the thread that scanned the source; the pool keeps it for ten seconds.
    expect(lastLine.growth).toBeLessThan(180 * mebibyte);
  }, 120_000);
});
