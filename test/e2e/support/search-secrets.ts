import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Files below a folder that contain one of the texts, as UTF-8 or UTF-16. */
export async function filesHolding(folder: string, secrets: readonly string[]): Promise<readonly string[]> {
  const needles = secrets.flatMap((secret) => [Buffer.from(secret, 'utf8'), Buffer.from(secret, 'utf16le')]);
  const matches: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    if (needles.some((needle) => bytes.includes(needle))) matches.push(path);
  }
  return matches;
}
