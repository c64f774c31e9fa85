import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { FoundFault } from './run-target.ts';

/** Writes a failing input down and gives its file. */
export function saveInput(folder: string, target: string, { fault, input, said }: FoundFault): string {
  mkdirSync(folder, { recursive: true });
  const name = `${target}.${fault}.${createHash('sha256').update(input).digest('hex').slice(0, 12)}`;
  const file = join(folder, name);
  writeFileSync(file, input);
  writeFileSync(`${file}.txt`, said);
  return file;
}

/** A saved input and the target that its name tells. */
export function readSaved(file: string): { readonly target: string; readonly input: Uint8Array } {
  return { target: basename(file).split('.')[0] ?? '', input: readFileSync(file) };
}
