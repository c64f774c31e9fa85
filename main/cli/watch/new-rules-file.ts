import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { kinds } from '../../../shared/kinds.ts';
import { hasCode } from '../../errno.ts';
import { say } from '../../say.ts';
import { UsageError } from '../usage-error.ts';
import { serviceFileFields } from './service-file.ts';

/** The schema's file next to a new rules file, so that editors complete and check its fields. */
const schemaName = 'tilelift-rules.schema.json';

/** The JSON Schema of a rules file (docs/rules-file.schema.json), as text. */
export function rulesSchemaText(): string {
  return `${JSON.stringify(z.toJSONSchema(serviceFileFields, { io: 'input' }), null, 2)}\n`;
}

/**
 * Writes an example rules file with comments, and its JSON Schema in the same folder.
 * @param path absolute
 * @returns the paths of both files
 * @throws UsageError if the rules file exists or can't be written
 */
export async function writeNewRulesFile(path: string): Promise<readonly string[]> {
  const schema = join(dirname(path), schemaName);
  try {
    await writeFile(path, exampleText(dirname(path)), { flag: 'wx' });
    await writeFile(schema, rulesSchemaText());
  } catch (error) {
    const key = hasCode(error, 'EEXIST') ? 'cli.rules.exists' : 'cli.rules.notWritten';
    throw new UsageError({ key, values: { path: basename(path) } });
  }
  return [path, schema];
}

function exampleText(folder: string): string {
  const [sourceTypes, incomingFolder] = [kinds.map(({ sourceType }) => sourceType), join(folder, 'incoming')];
  const field = (comment: string, name: string, value: unknown) =>
    `      // ${comment}\n      "${name}": ${JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ')}`;
  const fields = [
    field(say('rulesFile.example.folder'), 'folder', incomingFolder),
    field(say('rulesFile.example.unit'), 'unit', { kind: 'entries' }),
    field(
      say('rulesFile.example.sourceType', { kinds: sourceTypes.join(', ') }),
      'sourceType',
      'RASTER_IMAGERY',
    ),
    field(say('rulesFile.example.name'), 'name', 'incoming'),
    field(say('rulesFile.example.namePattern'), 'namePattern', '{name}'),
    field(say('rulesFile.example.readyWhen'), 'readyWhen', { kind: 'settled' }),
    field(say('rulesFile.example.whenChanged'), 'whenChanged', 'hold'),
    field(say('rulesFile.example.afterSuccess'), 'afterSuccess', { kind: 'leave' }),
    field(say('rulesFile.example.receiptFile'), 'receiptFile', { kind: 'none' }),
  ];
  return `{\n  "$schema": "./${schemaName}",\n  "schemaVersion": 1,\n  "rules": [\n    {\n${fields.join(',\n')}\n    }\n  ]\n}\n`;
}
