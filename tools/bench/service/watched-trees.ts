import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { foldersIn, rulesFor } from '../../soak/rules.ts';

const ruleCount = 10;
const perFolder = 1_000;

/** Creates ten watched folders and their rules file; in every other one, each file is a source. */
export async function watchedTrees(folder: string, files: number): Promise<string> {
  const rules: object[] = [];
  for (let number = 0; number < ruleCount; number++) {
    const watched = join(folder, `watched-${number}`);
    await fillFolder(watched, files / ruleCount);
    const kind = number % 2 === 0 ? 'landings' : 'scans';
    for (const { accountId: _, ...rule } of rulesFor({ ...foldersIn(folder), [kind]: watched }, [kind]))
      rules.push({ ...rule, id: `rule-${number}`, name: `Rule ${number}` });
  }
  const path = join(folder, 'rules.json');
  await writeFile(path, JSON.stringify({ schemaVersion: 1, rules }));
  return path;
}

async function fillFolder(watched: string, files: number): Promise<void> {
  for (let file = 0; file < files; file++) {
    const subfolder = join(watched, `block-${Math.floor(file / perFolder)}`);
    if (file % perFolder === 0) await mkdir(subfolder, { recursive: true });
    await writeFile(join(subfolder, `tile-${file}.xyz`), `${file}`);
  }
}
