import type { SourceView } from '../../preload/contract.ts';
import { emptySource, refused } from '../samples/sample-errors.ts';
import {
  citySource,
  lackingSource,
  largeSource,
  mixedSource,
  modelSource,
  photoSource,
  rememberedSource,
  severalSource,
} from '../samples/sample-sources.ts';
import { usual } from '../samples/usual.ts';
import type { Scenario, States, Step } from '../scenario.ts';

const upload: Step = { press: 'button', named: 'Upload' };
const more: Step = { press: 'button', named: 'More options' };
const longText =
  '## Befliegung 2026\n\nFlown on **20 November**, 4 cm, see [the order](https://example.com/1182).\n\n- north block\n- south block';

export const newAsset: States = {
  looking: { scenario: () => ({ ...dropped(citySource), silent: ['source.inspect'] }) },
  'nothing-in-it': {
    scenario: () => ({ ...dropped(citySource), source: { ok: false, error: emptySource } }),
  },
  recognised: { scenario: () => dropped(citySource) },
  'not-recognised': { scenario: () => dropped(mixedSource) },
  photos: { scenario: () => dropped(photoSource) },
  lacking: { scenario: () => dropped(lackingSource) },
  remembered: { scenario: () => dropped(rememberedSource) },
  several: { scenario: () => dropped(severalSource) },
  'several-as-one': { scenario: () => dropped({ ...severalSource, suggestParts: false }) },
  offline: { scenario: () => ({ ...dropped(citySource), online: false }) },
  tight: { scenario: () => dropped(largeSource(0.86)) },
  'too-large': { scenario: () => dropped(largeSource(2.3)) },
  'too-large-asked': { scenario: () => dropped(largeSource(2.3)), steps: [upload] },
  'left-out': { scenario: () => dropped(lackingSource), steps: [{ press: 'button', named: '640 ignored…' }] },
  'kind-menu': { scenario: () => dropped(citySource), steps: [{ press: 'button', named: 'Change kind' }] },
  'asset-types': {
    scenario: () => dropped(citySource),
    steps: [{ press: 'combobox', named: 'Asset type…' }],
  },
  'source-types': {
    scenario: () => dropped(citySource),
    steps: [{ press: 'combobox', named: 'Source type' }],
  },
  'base-terrains': {
    scenario: () => dropped(citySource),
    steps: [
      { press: 'switch', named: 'Clamp to terrain' },
      { press: 'combobox', named: 'Base terrain…' },
    ],
  },
  'more-options': { scenario: () => dropped(citySource), steps: [more] },
  'more-options-of-a-model': { scenario: () => dropped(modelSource), steps: [more] },
  'options-wrong': {
    scenario: () => dropped(modelSource),
    steps: [
      more,
      { type: '13.7', into: 'Longitude' },
      { type: '{ "geometryCompression": ', into: 'Further options' },
      upload,
    ],
  },
  'fields-empty': {
    scenario: () => dropped(mixedSource),
    steps: [{ type: '', into: 'Name' }, upload],
  },
  description: {
    scenario: () => dropped(citySource),
    steps: [
      { type: longText, into: 'Description' },
      { press: 'button', named: 'Preview' },
    ],
  },
  refused: { scenario: () => ({ ...dropped(citySource), createError: refused }), steps: [upload] },
};

function dropped(source: SourceView): Scenario {
  return usual({ source: { ok: true, value: source }, asks: [{ kind: 'source', paths: source.paths }] });
}
