import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { jsonLineSchema } from '../../../main/cli/json-lines.ts';
import { jsonVersion } from '../../../main/cli/output.ts';

const published = join(import.meta.dirname, '..', '..', '..', 'docs', 'json-lines.schema.json');

it('jsonLineSchema matches the published schema', async () => {
  const schema = z.toJSONSchema(jsonLineSchema, { io: 'input' });

  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(published);
});

it('jsonLineSchema accepts only lines with its version', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const line = { event: 'result', at, exitCode: 0 };

  expect(jsonLineSchema.safeParse({ ...line, version: jsonVersion }).success).toBe(true);
  expect(jsonLineSchema.safeParse({ ...line, version: jsonVersion + 1 }).success).toBe(false);
});
