import type { JobView, SourceView } from '../../preload/contract.ts';
import { faultyPresets, samplePresets } from '../samples/options/sample-presets.ts';
import { emptySource, refused, systemFileExists } from '../samples/sample-errors.ts';
import { error as failure } from '../samples/sample-jobs.ts';
import {
  capturedSource,
  citySource,
  colouredSource,
  countryTilesSource,
  doubtfulSource,
  essenSource,
  incompleteSource,
  largeSource,
  madeBeforeSource,
  madeChangedSource,
  manyTilesSource,
  mixedSource,
  modelSource,
  modelsAloneSource,
  modelTakenSource,
  newlyListedSource,
  oneRasterSource,
  photoSource,
  placedAs,
  placedSource,
  pointsSource,
  rememberedSource,
  reportedSource,
  scatteredSource,
  severalSource,
  takenSource,
  thousandSource,
  tilesetSource,
  unknownSource,
  unlistedSource,
} from '../samples/sample-sources.ts';
import {
  archivesSource,
  citiesOfAllKinds,
  pointsInFeetSource,
  twoFlightsSource,
  unevenTilesSource,
} from '../samples/sources/sample-findings.ts';
import { failingMixtureSource, fineMixtureSource, siteSource } from '../samples/sources/sample-mixture.ts';
import { usual } from '../samples/usual.ts';
import type { Scenario, Shown, States, Step } from '../scenario.ts';

const upload: Step = { press: 'button', named: { key: 'newAsset.upload' } };
const clampTo: readonly Step[] = [
  { press: 'switch', named: { key: 'options.clamp.label' } },
  { press: 'combobox', named: { key: 'options.clamp.baseTerrain' }, begins: true },
];
const moreOptions: Step = { press: 'button', named: { key: 'newAsset.moreOptions' } };
const editTypes: Step = { press: 'button', named: { key: 'options.types.edit' } };
const file = (fileName: string): Step => ({ press: 'button', named: fileName });
const useSystem: Step = {
  press: 'button',
  named: { key: 'findings.ways.use', values: { system: 'EPSG:25832' } },
};
const askSystem: Step = { press: 'button', named: { key: 'findings.ways.assign' } };
const leaveOut = (count: number): Step => ({
  press: 'button',
  named: { key: 'findings.ways.leaveOut', values: { count } },
});
/** Notes on an asset with this number of likely failures. */
const notesOf = (name: string, count: number): Step => ({
  press: 'button',
  named: {
    key: 'newAsset.proposal.notesOf',
    values: { state: { key: 'newAsset.proposal.trouble.will-fail', values: { count } }, name },
  },
});
const longText =
  '## Befliegung 2026\n\nFlown on **20 November**, 4 cm, see [the order](https://example.com/1182).\n\n- north block\n- south block';

export const newAsset: States = {
  looking: { scenario: () => ({ ...dropped(citySource), silent: ['source.inspect'] }) },
  'looking-on-the-map': {
    scenario: () => {
      const firstFiles = placedAs(placedSource.footprints.slice(0, 20));
      return { ...dropped(placedSource), walked: { fileCount: 48_120, ...firstFiles } };
    },
  },
  'nothing-in-it': {
    scenario: () => ({ ...dropped(citySource), source: { ok: false, error: emptySource } }),
  },
  recognised: { scenario: () => dropped(citySource) },
  'not-recognised': { scenario: () => dropped(mixedSource) },
  photos: { scenario: () => dropped(photoSource) },
  'many-findings': { scenario: () => dropped(doubtfulSource) },
  'how-to-convert': {
    scenario: () => dropped(unlistedSource),
    steps: [{ press: 'button', named: { key: 'howTo.show' } }],
  },
  'how-to-convert-newer': {
    scenario: () => dropped(newlyListedSource),
    steps: [{ press: 'button', named: { key: 'howTo.show' } }],
  },
  'findings-of-cities': { scenario: () => dropped(citiesOfAllKinds) },
  'findings-of-cities-middle': {
    scenario: () => dropped(citiesOfAllKinds),
    steps: [{ scrollTo: { key: 'findings.backslash-references.title', values: { count: 1 } } }],
  },
  'findings-of-cities-end': {
    scenario: () => dropped(citiesOfAllKinds),
    steps: [{ scrollTo: { key: 'findings.large-asset.title', values: { size: { bytes: 23.4e9 } } } }],
  },
  'findings-of-archives': { scenario: () => dropped(archivesSource) },
  'findings-of-tiles': {
    scenario: () => dropped(unevenTilesSource),
    steps: [{ scrollTo: { key: 'findings.gaps.title', values: { missing: 3 } } }],
  },
  'findings-of-photos': { scenario: () => dropped(twoFlightsSource) },
  'findings-of-points': { scenario: () => dropped(pointsInFeetSource) },
  'split-by-folder': {
    scenario: () => ({
      ...dropped(capturedSource()),
      folders: Array.from({ length: 30 }, (_, index) => `/srv/uav/Sites/Site ${index + 1}`),
    }),
  },
  'one-finding': { scenario: () => dropped(incompleteSource) },
  'on-the-map': { scenario: () => dropped(placedSource) },
  'many-on-the-map': { scenario: () => dropped(manyTilesSource) },
  'country-on-the-map': { scenario: () => dropped(countryTilesSource) },
  'far-apart-on-the-map': { scenario: () => dropped(scatteredSource) },
  'ring-chosen': { scenario: () => dropped(doubtfulSource), steps: [file('dgm_0188.tif')] },
  'ring-chosen-among-many': { scenario: () => dropped(manyTilesSource), steps: [file('dgm_0812.tif')] },
  'ring-chosen-in-a-country': { scenario: () => dropped(countryTilesSource), steps: [file('dgm_0001.tif')] },
  'correct-system': correcting(incompleteSource),
  'correct-option': correcting(pointsSource),
  'system-assigned': { scenario: () => dropped(doubtfulSource), steps: [useSystem] },
  'system-refused': {
    scenario: () => ({ ...dropped(doubtfulSource), checkError: systemFileExists }),
    steps: [useSystem],
  },
  'system-asked': {
    scenario: () => dropped(doubtfulSource),
    steps: [askSystem, { type: 'zone', into: { key: 'findings.assign.label' } }],
  },
  'systems-compared': {
    scenario: () => dropped(doubtfulSource),
    steps: [askSystem, { type: 'EPSG:25833', into: { key: 'findings.assign.label' } }],
  },
  'system-not-known': {
    scenario: () => dropped(doubtfulSource),
    steps: [
      askSystem,
      { type: 'Local grid', into: { key: 'findings.assign.label' } },
      { press: 'button', named: { key: 'findings.assign.apply' } },
    ],
  },
  'files-left-out': { scenario: () => dropped(doubtfulSource), steps: [leaveOut(1), leaveOut(4)] },
  'file-left-out-chosen': {
    scenario: () => dropped(doubtfulSource),
    steps: [leaveOut(1), useSystem, file('dgm_0188.tif')],
  },
  'files-to-take-along': { scenario: () => dropped(modelsAloneSource()) },
  'files-taken-along': {
    scenario: () => dropped(modelsAloneSource()),
    steps: [{ press: 'button', named: { key: 'findings.ways.takeAlong', values: { count: 14 } } }],
  },
  'position-known': { scenario: () => dropped(capturedSource()) },
  'position-taken': {
    scenario: () => dropped(capturedSource()),
    steps: [{ press: 'button', named: { key: 'findings.ways.position' } }, moreOptions],
  },
  'heights-stated': {
    scenario: () => dropped(doubtfulSource),
    steps: [{ press: 'button', named: { key: 'options.fields.heightReference.WGS84' } }],
  },
  'tileset-root': { scenario: () => dropped(tilesetSource()) },
  'wrong-kind': { scenario: () => dropped(colouredSource) },
  'one-dataset': { scenario: () => dropped(oneRasterSource) },
  'nothing-known': { scenario: () => dropped(unknownSource) },
  remembered: { scenario: () => dropped(rememberedSource) },
  'made-before': { scenario: () => dropped(madeBeforeSource) },
  'made-before-changed': { scenario: () => dropped(madeChangedSource) },
  several: { scenario: () => dropped(severalSource) },
  'several-kinds': { scenario: () => dropped(essenSource) },
  'several-kinds-left-out': {
    scenario: () => dropped(essenSource),
    steps: [
      { press: 'button', named: { key: 'newAsset.proposal.leaveOut', values: { name: 'Scan Zollverein' } } },
      { press: 'button', named: { key: 'newAsset.out.showList' } },
    ],
  },
  'single-files-left-out': {
    scenario: () => dropped({ ...essenSource, ...placedAs(placedSource.footprints.slice(0, 24), 1_361) }),
    steps: [
      { press: 'button', named: { key: 'newAsset.out.showList' } },
      { press: 'button', named: { key: 'newAsset.out.includeFile', values: { name: 'Bericht.docx' } } },
      {
        press: 'menuitem',
        named: { key: 'newAsset.out.includeIn', values: { name: 'Scan Zollverein' } },
      },
      { press: 'button', named: { key: 'newAsset.out.includeFile', values: { name: 'roads.shp' } } },
      { press: 'menuitem', named: { key: 'newAsset.out.includeIn', values: { name: 'LoD2 Altstadt' } } },
    ],
  },
  'one-kind-file-taken-in': {
    scenario: () => dropped(reportedSource),
    steps: [
      { press: 'button', named: { key: 'newAsset.out.showList' } },
      { press: 'button', named: { key: 'newAsset.out.includeFile', values: { name: 'Abnahme.docx' } } },
    ],
  },
  'several-kinds-menu': {
    scenario: () => dropped(essenSource),
    steps: [
      { press: 'button', named: { key: 'newAsset.proposal.menu', values: { name: 'Scan Zollverein' } } },
    ],
  },
  'several-kinds-position': {
    scenario: () => dropped(essenSource),
    steps: [{ press: 'button', named: { key: 'newAsset.proposal.setPosition' }, begins: true }],
  },
  'several-kinds-combine': {
    scenario: () => dropped(essenSource),
    steps: [{ press: 'button', named: { key: 'newAsset.combine.ask' } }],
  },
  mixture: { scenario: () => dropped(failingMixtureSource) },
  'mixture-notes': { scenario: () => dropped(failingMixtureSource), steps: [notesOf('Ortho', 2)] },
  'mixture-assigned': {
    scenario: () => dropped(failingMixtureSource),
    steps: [notesOf('Ortho', 2), useSystem],
  },
  'mixture-fine': { scenario: () => dropped(fineMixtureSource) },
  'mixture-already': { scenario: () => dropped(siteSource) },
  'a-thousand-assets': { scenario: () => dropped(thousandSource) },
  'one-kind-with-documents': { scenario: () => dropped(reportedSource) },
  'documents-how-to': {
    scenario: () => dropped(reportedSource),
    steps: [{ press: 'button', named: { key: 'howTo.show' } }],
  },
  'taken-along': { scenario: () => dropped(takenSource) },
  'taken-along-many': { scenario: () => dropped(modelTakenSource) },
  'closing-typed': {
    scenario: () => dropped(citySource),
    steps: [
      { type: 'Altstadt 2026', into: { key: 'newAsset.name' } },
      { press: 'button', named: { key: 'general.cancel' } },
    ],
  },
  'several-as-one': { scenario: () => dropped({ ...severalSource, suggestSeparate: false }) },
  offline: { scenario: () => ({ ...dropped(citySource), online: false }) },
  tight: { scenario: () => dropped(largeSource(0.86)) },
  'too-large': { scenario: () => dropped(largeSource(2.3)) },
  'too-large-asked': { scenario: () => dropped(largeSource(2.3)), steps: [upload] },
  'left-out': {
    scenario: () => dropped(incompleteSource),
    steps: [
      {
        press: 'button',
        named: {
          key: 'general.nextName',
          values: {
            before: {
              key: 'general.nextName',
              values: {
                before: {
                  key: 'newAsset.leftOut.ignoredAmong',
                  values: { count: 640, names: { names: ['.DS_Store', 'dgm_04.asc.part'] } },
                },
                name: { key: 'newAsset.leftOut.links', values: { count: 2 } },
              },
            },
            name: { key: 'units.emptyFolders', values: { count: 2 } },
          },
        },
      },
    ],
  },
  presets: {
    scenario: () => ({ ...dropped(citySource), presets: samplePresets }),
    steps: [{ press: 'button', named: { key: 'presets.button' } }],
  },
  'presets-none': {
    scenario: () => dropped(citySource),
    steps: [
      { press: 'button', named: { key: 'presets.button' } },
      { press: 'button', named: { key: 'presets.saveAs' } },
    ],
  },
  'presets-faulty': {
    scenario: () => ({ ...dropped(citySource), presets: samplePresets, importedPresets: faultyPresets }),
    steps: [
      { press: 'button', named: { key: 'presets.button' } },
      { press: 'button', named: { key: 'presets.import' } },
    ],
  },
  'kind-menu': {
    scenario: () => dropped(citySource),
    steps: [{ press: 'button', named: { key: 'newAsset.kind.change' } }],
  },
  'asset-types': {
    scenario: () => dropped(citySource),
    steps: [editTypes, { press: 'combobox', named: { key: 'options.types.assetType' }, begins: true }],
  },
  'source-types': {
    scenario: () => dropped(citySource),
    steps: [editTypes, { press: 'combobox', named: { key: 'options.types.sourceType' } }],
  },
  'base-terrains': { scenario: () => dropped(citySource), steps: clampTo },
  'base-terrain-under-way': {
    scenario: () => dropped(citySource),
    steps: [...clampTo, { press: 'option', named: 'Geländemodell Elbe', begins: true }],
  },
  'base-terrain-typed': {
    scenario: () => dropped(citySource),
    steps: [
      ...clampTo,
      { press: 'option', named: { key: 'options.clamp.another' } },
      { type: '2310012a', into: { key: 'options.clamp.typeId' } },
    ],
  },
  'more-options': { scenario: () => dropped(citySource), steps: [moreOptions] },
  'position-on-the-map': {
    scenario: () => dropped(modelSource),
    steps: [moreOptions, { press: 'button', named: { key: 'options.position.pick' } }],
  },
  'more-options-of-a-model': { scenario: () => dropped(modelSource), steps: [moreOptions] },
  'more-options-of-a-terrain': { scenario: () => dropped(placedSource), steps: [moreOptions] },
  'coordinate-systems': {
    scenario: () => dropped(modelSource),
    steps: [moreOptions, { type: 'utm', into: { key: 'options.fields.inputCrs.label' } }],
  },
  'coordinate-system-entered': {
    scenario: () => dropped(modelSource),
    steps: [moreOptions, { type: 'EPSG:31467', into: { key: 'options.fields.inputCrs.label' } }],
  },
  'options-wrong': {
    scenario: () => dropped(modelSource),
    steps: [
      moreOptions,
      { type: '13.7', into: { key: 'options.position.longitude' } },
      { type: '{ "geometryCompression": ', into: { key: 'options.further.label' } },
      upload,
    ],
  },
  'fields-empty': {
    scenario: () => dropped(mixedSource),
    steps: [{ type: '', into: { key: 'newAsset.name' } }, upload],
  },
  description: {
    scenario: () => dropped(citySource),
    steps: [
      { type: longText, into: { key: 'newAsset.description.label' } },
      { press: 'button', named: { key: 'newAsset.description.preview' } },
    ],
  },
  refused: { scenario: () => ({ ...dropped(citySource), createError: refused }), steps: [upload] },
};

function dropped(source: SourceView): Scenario {
  return usual({ source: { ok: true, value: source }, asks: [{ kind: 'source', paths: source.paths }] });
}

/** A failed source with the sent values and the service's message. */
function correcting(source: SourceView): Shown {
  const { suggestedName: name, fileCount, bytes } = source;
  const { assetType, sourceType } = source.suggestion ?? { assetType: 'TERRAIN', sourceType: '' };
  const sent = { name, description: '', assetType, sourceType, clampToTerrain: false, baseTerrainId: null };
  const asSent = { ...sent, options: '{}', leftOut: [], assigned: [] };
  const action = { key: 'job.action.correct' } as const;
  return {
    scenario: () => {
      const { jobs, ...scenario } = usual({ source: { ok: true, value: { ...source, asSent } } });
      const files = { fileCount, bytesTotal: bytes, bytesDone: bytes, paths: source.paths };
      const error = failure('data-error', null, { message: 'No coordinate reference system in 3 files' });
      const failed = (job: JobView) => ({ ...job, ...files, name, assetType, sourceType, error });
      return { ...scenario, jobs: jobs.map((job) => (job.status === 'data-error' ? failed(job) : job)) };
    },
    steps: [{ press: 'button', named: { key: 'job.action.of', values: { action, name } } }],
  };
}
