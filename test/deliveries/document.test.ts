import { expect, it } from 'vitest';
import type { Group } from './delivery.ts';
import { repeatedDeliveries } from './kinds/again.ts';
import { batch } from './kinds/batch.ts';
import { changes } from './kinds/changes.ts';
import { cloud } from './kinds/cloud.ts';
import { computers } from './kinds/computers.ts';
import { endOfFiles } from './kinds/ends.ts';
import { junk } from './kinds/junk.ts';
import { namedFiles } from './kinds/named.ts';
import { shapes } from './kinds/shapes.ts';
import { batchDeliveries } from './kinds/together.ts';
import { trouble } from './kinds/trouble.ts';
import { unattendedDeliveries } from './kinds/unattended.ts';
import { writing } from './kinds/writing.ts';

/**
 * The tests' rows generate docs/reference/deliveries.md: `npm test -- deliveries` compares it, `vitest -u`
 * rewrites it.
 */
const groups: readonly (readonly [file: string, group: Group])[] = [
  ['writing', writing],
  ['ends', endOfFiles],
  ['together', batchDeliveries],
  ['named', namedFiles],
  ['shapes', shapes],
  ['batch', batch],
  ['again', repeatedDeliveries],
  ['changes', changes],
  ['computers', computers],
  ['junk', junk],
  ['cloud', cloud],
  ['trouble', trouble],
  ['unattended', unattendedDeliveries],
];

it('docs/reference/deliveries.md lists every delivery with its outcome and its test', async () => {
  const rows = groups.flatMap(([, { deliveries }]) => deliveries);
  expect(new Set(rows.map(({ comes }) => comes)).size).toBe(rows.length);
  const sections = groups.map(([file, { title, deliveries }]) => {
    const lines = deliveries.map(({ comes, becomes }) => `| ${comes} | ${becomes} |`);
    return [
      `## ${title}`,
      '',
      `Tests: [test/deliveries/kinds/${file}.ts](../../test/deliveries/kinds/${file}.ts).`,
      '',
      '| what arrives | what Tilelift does |',
      '|---|---|',
      ...lines,
    ].join('\n');
  });
  await expect([head(rows.length), ...sections].join('\n\n').concat('\n')).toMatchFileSnapshot(
    '../../docs/reference/deliveries.md',
  );
});

const head = (count: number) =>
  [
    '# Deliveries to a watched folder',
    '',
    `${count} deliveries and what Tilelift does with each. Unless a row says otherwise, the rule creates an asset for each folder or file that arrives. Each row is a test, and \`npm test -- deliveries\` compares this document with the tests.`,
  ].join('\n');
