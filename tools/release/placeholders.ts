/** `node tools/release/placeholders.ts`: lists placeholders for addresses, which no release may contain. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Files and folders that ship, or that users of a release read. */
const read = ['package.json', 'electron-builder.yml', 'README.md', 'SECURITY.md', 'CHANGELOG.md', 'LICENSE'];
const folders = ['build', 'docs', 'scripts', 'strings'];

/** An address of ours that is still to be chosen (RFC 6761). */
const placeholder = /(?:https?:\/\/|@)[\w.-]*\.invalid\b/;

const texts = /\.(html|json|md|mjs|nsh|plist|service|toml|ts|txt|xml|ya?ml)$|^[^.]+$/;

/** Lines with a placeholder, as `file:line: text`. */
export function placeholdersIn(root: string): readonly string[] {
  return [...read, ...folders.flatMap((folder) => filesBelow(root, folder))].flatMap((file) => {
    if (!existsSync(join(root, file))) return [];
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    return lines.flatMap((line, lineIndex) =>
      placeholder.test(line) ? [`${file}:${lineIndex + 1}: ${line.trim()}`] : [],
    );
  });
}

function filesBelow(root: string, folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => texts.test(file.replace(/.*[\\/]/, '')) && statSync(join(root, file)).isFile())
    .sort();
}

if (import.meta.main) {
  const foundPlaceholders = placeholdersIn(join(import.meta.dirname, '..', '..'));
  for (const line of foundPlaceholders) process.stderr.write(`${line}\n`);
  process.exitCode = foundPlaceholders.length > 0 ? 1 : 0;
}
