import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type WatchRule, watchRuleSchema } from '../../../../main/watch/model/rule.ts';
import { defaultChoice, type Here, planImport } from '../../../../main/watch/rules/import-rules.ts';
import { type FileRule, readRulesFile, rulesFileText } from '../../../../main/watch/rules/rules-file.ts';
import { aWatchRule } from '../../../a-watch-rule.ts';

const root = process.platform === 'win32' ? 'D:\\' : '/';
/** Generates any text that JSON can represent, including quotes and line breaks. */
const text = (maxLength: number) =>
  fc.string({ minLength: 1, maxLength, unit: 'grapheme' }).filter((one) => one.trim() === one && one !== '');
const place = fc.oneof(
  fc.constant({ kind: 'leave' as const }),
  text(40).map((folder) => ({ kind: 'move' as const, folder })),
);
const unit: fc.Arbitrary<WatchRule['unit']> = fc.oneof(
  fc.constant({ kind: 'entries' as const }),
  fc
    .array(text(20), { minLength: 1, maxLength: 3 })
    .map((patterns) => ({ kind: 'files' as const, patterns })),
  fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.array(text(20), { maxLength: 3 }))
    .map(([depth, patterns]) => ({ kind: 'folders' as const, depth, patterns })),
  fc.constant({ kind: 'whole-folder' as const }),
);
const change = fc.record({
  name: text(60),
  unit,
  readyWhen: fc.oneof(
    fc.constant({ kind: 'settled' as const }),
    fc.constant({ kind: 'checksums' as const }),
    text(20).map((name) => ({ kind: 'marker' as const, name })),
  ),
  checksums: fc.constantFrom('verify' as const, 'ignore' as const),
  hold: fc.constantFrom('never' as const, 'will-fail' as const, 'may-disappoint' as const),
  kindFrom: fc.constantFrom('rule' as const, 'content' as const),
  assetType: fc.constantFrom('3DTILES' as const, 'IMAGERY' as const, 'TERRAIN' as const),
  sourceType: text(20),
  clampToTerrain: fc.boolean(),
  baseTerrainId: fc.option(fc.integer({ min: 1 })),
  options: fc.dictionary(text(10), fc.integer(), { maxKeys: 3 }).map((options) => JSON.stringify(options)),
  namePattern: text(40),
  description: fc.string({ maxLength: 200, unit: 'grapheme' }),
  ignore: fc.array(fc.string({ maxLength: 20 }), { maxLength: 4 }),
  settleSeconds: fc.option(fc.integer({ min: 1, max: 86_400 })),
  whenChanged: fc.constantFrom('hold' as const, 'new-asset' as const, 'leave' as const),
  afterSuccess: place,
  afterFailure: place,
  whenTooLong: fc.constantFrom('hold' as const, 'upload' as const),
  whenExpired: fc.constantFrom('wait' as const, 'start-again' as const),
  cloudFiles: fc.constantFrom('leave' as const, 'fetch' as const),
  mountMarker: fc.option(text(20).filter((name) => !/[\\/]/.test(name) && !/^\.{1,2}$/.test(name))),
  shared: fc.boolean(),
  on: fc.boolean(),
});
const someRules = fc
  .array(fc.tuple(change, text(20)), { minLength: 1, maxLength: 5 })
  .map((all) =>
    all
      .map(([one, folder], index) =>
        aWatchRule({ ...one, id: `rule-${index}`, folder: join(root, 'data', folder.replaceAll('\0', '')) }),
      )
      .filter((rule) => watchRuleSchema.safeParse(rule).success),
  )
  .filter((rules) => rules.length > 0);

const importedInto = (here: Here, rules: readonly FileRule[]) =>
  planImport(
    rules.map((given) => ({ given, choice: defaultChoice(given, here) })),
    here,
  ).map(({ rule }) => rule);

describe('export and import of rules', () => {
  it('restores every exported rule exactly', () => {
    fc.assert(
      fc.property(someRules, (rules) => {
        const file = readRulesFile(rulesFileText(rules));
        if (file.kind === 'problems') throw new Error(JSON.stringify(file.problems));
        expect(file.rules).toEqual(rules);
        // An import into the same installation replaces each rule with itself.
        const here = { rules, accountId: 'another' };
        expect(importedInto(here, file.rules)).toEqual(rules);
      }),
    );
  });

  it('keeps all fields on another computer, but turns imported rules off', () => {
    fc.assert(
      fc.property(someRules, (rules) => {
        const file = readRulesFile(rulesFileText(rules));
        if (file.kind === 'problems') throw new Error(JSON.stringify(file.problems));
        const there = { rules: [], accountId: 'jo' };
        expect(importedInto(there, file.rules)).toEqual(rules.map((rule) => ({ ...rule, on: false })));
      }),
    );
  });
});
