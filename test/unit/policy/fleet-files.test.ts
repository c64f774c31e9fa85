import { join } from 'node:path';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { policySchema, policySchemaText } from '../../../main/policy/policy.ts';
import { requireLibrary } from '../../../scripts/package/builder-library.mjs';
import { adml, admx, mobileconfig } from '../../../tools/policy/fleet-files.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'docs', 'policy');
const keys = Object.keys(policySchema.shape);
const idsIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, id]) => id).sort();

describe('the files for device management', () => {
  it.each([
    ['policy.schema.json', policySchemaText()],
    ['tilelift.admx', admx()],
    ['en-US/tilelift.adml', adml('en-US')],
    ['de-DE/tilelift.adml', adml('de-DE')],
    ['tilelift.mobileconfig', mobileconfig()],
  ])('%s is what the policy’s schema says', async (name, text) => {
    if (!name.endsWith('.json')) expect(XMLValidator.validate(text)).toBe(true);
    await expect(text).toMatchFileSnapshot(join(folder, name));
  });
});

it('the group policy has one policy for each key', () => {
  const { policyDefinitions } = new XMLParser({ ignoreAttributes: false }).parse(admx());
  const names = policyDefinitions.policies.policy.map((policy: Record<string, string>) => policy['@_name']);
  expect(names).toEqual(keys);
});

it.each(['en-US', 'de-DE'] as const)(
  'the group policy has all its texts in %s, and no others',
  (language) => {
    const texts = adml(language);
    const referencedIds = new Set(idsIn(admx(), /\$\(string\.(\w+)\)/g));
    expect(idsIn(texts, /<string id="(\w+)"/g)).toEqual([...referencedIds]);
    expect(idsIn(texts, /<presentation id="(\w+)"/g)).toEqual(idsIn(admx(), /\$\(presentation\.(\w+)\)/g));
    expect(idsIn(texts, /refId="(\w+)"/g)).toEqual(
      idsIn(admx(), /<(?:boolean|enum|text|multiText) id="(\w+)"/g),
    );
  },
);

it('the configuration profile contains a valid policy', () => {
  const profile = requireLibrary('plist').parse(mobileconfig());
  const [payload] = profile.PayloadContent;
  const [{ mcx_preference_settings: policy }] = payload.PayloadContent['org.tilelift.desktop'].Forced;
  expect(policySchema.safeParse(policy)).toMatchObject({ success: true });
  expect(policy).toEqual({
    updates: { allowed: true, channel: 'latest' },
    storage: { plainHttp: false },
    plainServices: { allowed: false },
  });
});
