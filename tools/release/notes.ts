/** `node tools/release/notes.ts v1.2.3`: prints a version's changelog section for release pages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { notesOf } from './changelog.ts';

const changelog = readFileSync(join(import.meta.dirname, '..', '..', 'CHANGELOG.md'), 'utf8');
process.stdout.write(notesOf(changelog, (process.argv[2] ?? '').replace(/^v/, '')));
