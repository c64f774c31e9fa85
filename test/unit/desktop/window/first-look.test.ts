import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { firstLook, readFirstLook } from '../../../../main/desktop/window/first-look.ts';
import { readSettingsFile } from '../../../../main/settings.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

const oneOf = (...values: readonly unknown[]) => fc.oneof(...values.map((value) => fc.constant(value)));
const mostlyNumber = fc.oneof(
  { weight: 6, arbitrary: fc.double() },
  { weight: 1, arbitrary: oneOf(null, undefined, '12', true) },
);
const mostlyPlace = fc.oneof(
  { weight: 6, arbitrary: fc.record({ x: mostlyNumber, y: mostlyNumber }, { requiredKeys: [] }) },
  {
    weight: 6,
    arbitrary: fc.record(
      {
        width: mostlyNumber,
        height: mostlyNumber,
        maximized: oneOf(true, false, 1, undefined),
        later: fc.nat(),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.anything() },
);
const stored = fc.oneof(
  fc.record(
    {
      appearance: oneOf('system', 'light', 'dark', 'pink', null, 1),
      language: oneOf('system', 'en', 'de', 'xx', '__proto__', null),
      window: mostlyPlace,
      compactRows: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  fc.anything(),
);

it('readFirstLook() returns what the settings say, whatever their file holds', () => {
  fc.assert(
    fc.property(stored, (storedValue) => {
      const { appearance, language, window } = readSettingsFile(storedValue).settings;
      expect(firstLook(storedValue)).toEqual({ appearance, language, window });
    }),
    { numRuns: 2_000 },
  );
});

it('readFirstLook() returns the default for a missing or damaged file', async () => {
  const folder = temporaryFolder();
  expect(readFirstLook(folder)).toEqual({ appearance: 'system', language: 'system', window: {} });
  await writeFile(join(folder, 'settings.json'), JSON.stringify({ appearance: 'dark', language: 'de' }));
  expect(readFirstLook(folder)).toEqual({ appearance: 'dark', language: 'de', window: {} });
  await writeFile(join(folder, 'settings.json'), '{"appearance": "dark"');
  expect(readFirstLook(folder)).toEqual({ appearance: 'system', language: 'system', window: {} });
});
