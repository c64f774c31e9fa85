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
import { begins, button, press, scrollTo, shown, typed } from '../steps.ts';

const upload: Step = button('newAsset.upload');
const clampTo: readonly Step[] = [
  press('switch', 'options.clamp.label'),
  begins(press('combobox', 'options.clamp.baseTerrain')),
];
const moreOptions: Step = button('newAsset.moreOptions');
const editTypes: Step = button('options.types.edit');
const file = (fileName: string): Step => ({ press: 'button', named: fileName });
const useSystem: Step = button('findings.ways.use', { system: 'EPSG:25832' });
const askSystem: Step = button('findings.ways.assign');
const leaveOut = (count: number): Step => button('findings.ways.leaveOut', { count });
/** Notes on an asset with this number of likely failures. */
const notesOf = (name: string, count: number): Step =>
  button('newAsset.proposal.notesOf', {
    state: { key: 'newAsset.proposal.trouble.will-fail', values: { count } },
    name,
  });
const longText =
  '## Befliegung 2026\n\nFlown on **20 November**, 4 cm, see [the order](https://example.com/1182).\n\n- north block\n- south block';

export const newAsset: States = {
  looking: shown(() => ({ ...dropped(citySource), silent: ['source.inspect'] })),
  'looking-on-the-map': shown(() => {
    const firstFiles = placedAs(placedSource.footprints.slice(0, 20));
    return { ...dropped(placedSource), walked: { fileCount: 48_120, ...firstFiles } };
  }),
  'nothing-in-it': shown(() => ({ ...dropped(citySource), source: { ok: false, error: emptySource } })),
  recognised: dropping(citySource),
  'not-recognised': dropping(mixedSource),
  photos: dropping(photoSource),
  'many-findings': dropping(doubtfulSource),
  'how-to-convert': dropping(unlistedSource, button('howTo.show')),
  'how-to-convert-newer': dropping(newlyListedSource, button('howTo.show')),
  'findings-of-cities': dropping(citiesOfAllKinds),
  'findings-of-cities-middle': dropping(
    citiesOfAllKinds,
    scrollTo('findings.backslash-references.title', { count: 1 }),
  ),
  'findings-of-cities-end': dropping(
    citiesOfAllKinds,
    scrollTo('findings.large-asset.title', { size: { bytes: 23.4e9 } }),
  ),
  'findings-of-archives': dropping(archivesSource),
  'findings-of-tiles': dropping(unevenTilesSource, scrollTo('findings.gaps.title', { missing: 3 })),
  'findings-of-photos': dropping(twoFlightsSource),
  'findings-of-points': dropping(pointsInFeetSource),
  'split-by-folder': shown(() => ({
    ...dropped(capturedSource),
    folders: Array.from({ length: 30 }, (_, index) => `/srv/uav/Sites/Site ${index + 1}`),
  })),
  'one-finding': dropping(incompleteSource),
  'on-the-map': dropping(placedSource),
  'many-on-the-map': dropping(manyTilesSource),
  'country-on-the-map': dropping(countryTilesSource),
  'far-apart-on-the-map': dropping(scatteredSource),
  'ring-chosen': dropping(doubtfulSource, file('dgm_0188.tif')),
  'ring-chosen-among-many': dropping(manyTilesSource, file('dgm_0812.tif')),
  'ring-chosen-in-a-country': dropping(countryTilesSource, file('dgm_0001.tif')),
  'correct-system': correcting(incompleteSource),
  'correct-option': correcting(pointsSource),
  'system-assigned': dropping(doubtfulSource, useSystem),
  'system-refused': shown(() => ({ ...dropped(doubtfulSource), checkError: systemFileExists }), useSystem),
  'system-asked': dropping(doubtfulSource, askSystem, typed('zone', 'findings.assign.label')),
  'systems-compared': dropping(doubtfulSource, askSystem, typed('EPSG:25833', 'findings.assign.label')),
  'system-not-known': dropping(
    doubtfulSource,
    askSystem,
    typed('Local grid', 'findings.assign.label'),
    button('findings.assign.apply'),
  ),
  'files-left-out': dropping(doubtfulSource, leaveOut(1), leaveOut(4)),
  'file-left-out-chosen': dropping(doubtfulSource, leaveOut(1), useSystem, file('dgm_0188.tif')),
  'files-to-take-along': dropping(modelsAloneSource),
  'files-taken-along': dropping(modelsAloneSource, button('findings.ways.takeAlong', { count: 14 })),
  'position-known': dropping(capturedSource),
  'position-taken': dropping(capturedSource, button('findings.ways.position'), moreOptions),
  'heights-stated': dropping(doubtfulSource, button('options.fields.heightReference.WGS84')),
  'tileset-root': dropping(tilesetSource),
  'wrong-kind': dropping(colouredSource),
  'one-dataset': dropping(oneRasterSource),
  'nothing-known': dropping(unknownSource),
  remembered: dropping(rememberedSource),
  'made-before': dropping(madeBeforeSource),
  'made-before-changed': dropping(madeChangedSource),
  several: dropping(severalSource),
  'several-kinds': dropping(essenSource),
  'several-kinds-left-out': dropping(
    essenSource,
    button('newAsset.proposal.leaveOut', { name: 'Scan Zollverein' }),
    button('newAsset.out.showList'),
  ),
  'single-files-left-out': shown(
    () => dropped({ ...essenSource, ...placedAs(placedSource.footprints.slice(0, 24), 1_361) }),
    button('newAsset.out.showList'),
    button('newAsset.out.includeFile', { name: 'Bericht.docx' }),
    press('menuitem', 'newAsset.out.includeIn', { name: 'Scan Zollverein' }),
    button('newAsset.out.includeFile', { name: 'roads.shp' }),
    press('menuitem', 'newAsset.out.includeIn', { name: 'LoD2 Altstadt' }),
  ),
  'one-kind-file-taken-in': dropping(
    reportedSource,
    button('newAsset.out.showList'),
    button('newAsset.out.includeFile', { name: 'Abnahme.docx' }),
  ),
  'several-kinds-menu': dropping(essenSource, button('newAsset.proposal.menu', { name: 'Scan Zollverein' })),
  'several-kinds-position': dropping(essenSource, begins(button('newAsset.proposal.setPosition'))),
  'several-kinds-combine': dropping(essenSource, button('newAsset.combine.ask')),
  mixture: dropping(failingMixtureSource),
  'mixture-notes': dropping(failingMixtureSource, notesOf('Ortho', 2)),
  'mixture-assigned': dropping(failingMixtureSource, notesOf('Ortho', 2), useSystem),
  'mixture-fine': dropping(fineMixtureSource),
  'mixture-already': dropping(siteSource),
  'a-thousand-assets': dropping(thousandSource),
  'one-kind-with-documents': dropping(reportedSource),
  'documents-how-to': dropping(reportedSource, button('howTo.show')),
  'taken-along': dropping(takenSource),
  'taken-along-many': dropping(modelTakenSource),
  'closing-typed': dropping(citySource, typed('Altstadt 2026', 'newAsset.name'), button('general.cancel')),
  'several-as-one': shown(() => dropped({ ...severalSource, suggestSeparate: false })),
  offline: shown(() => ({ ...dropped(citySource), online: false })),
  tight: shown(() => dropped(largeSource(0.86))),
  'too-large': shown(() => dropped(largeSource(2.3))),
  'too-large-asked': shown(() => dropped(largeSource(2.3)), upload),
  'left-out': dropping(
    incompleteSource,
    button('general.nextName', {
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
    }),
  ),
  presets: shown(() => ({ ...dropped(citySource), presets: samplePresets }), button('presets.button')),
  'presets-none': dropping(citySource, button('presets.button'), button('presets.saveAs')),
  'presets-faulty': shown(
    () => ({ ...dropped(citySource), presets: samplePresets, importedPresets: faultyPresets }),
    button('presets.button'),
    button('presets.import'),
  ),
  'kind-menu': dropping(citySource, button('newAsset.kind.change')),
  'asset-types': dropping(citySource, editTypes, begins(press('combobox', 'options.types.assetType'))),
  'source-types': dropping(citySource, editTypes, press('combobox', 'options.types.sourceType')),
  'base-terrains': dropping(citySource, ...clampTo),
  'base-terrain-under-way': dropping(citySource, ...clampTo, {
    press: 'option',
    named: 'Geländemodell Elbe',
    begins: true,
  }),
  'base-terrain-typed': dropping(
    citySource,
    ...clampTo,
    press('option', 'options.clamp.another'),
    typed('2310012a', 'options.clamp.typeId'),
  ),
  'more-options': dropping(citySource, moreOptions),
  'position-on-the-map': dropping(modelSource, moreOptions, button('options.position.pick')),
  'more-options-of-a-model': dropping(modelSource, moreOptions),
  'more-options-of-a-terrain': dropping(placedSource, moreOptions),
  'coordinate-systems': dropping(modelSource, moreOptions, typed('utm', 'options.fields.inputCrs.label')),
  'coordinate-system-entered': dropping(
    modelSource,
    moreOptions,
    typed('EPSG:31467', 'options.fields.inputCrs.label'),
  ),
  'options-wrong': dropping(
    modelSource,
    moreOptions,
    typed('13.7', 'options.position.longitude'),
    typed('{ "geometryCompression": ', 'options.further.label'),
    upload,
  ),
  'fields-empty': dropping(mixedSource, typed('', 'newAsset.name'), upload),
  description: dropping(
    citySource,
    typed(longText, 'newAsset.description.label'),
    button('newAsset.description.preview'),
  ),
  refused: shown(() => ({ ...dropped(citySource), createError: refused }), upload),
};

function dropped(source: SourceView): Scenario {
  return usual({ source: { ok: true, value: source }, asks: [{ kind: 'source', paths: source.paths }] });
}

/** Such a source dropped on the window. */
function dropping(source: SourceView, ...steps: readonly Step[]): Shown {
  return shown(() => dropped(source), ...steps);
}

/** A failed source with the sent values and the service's message. */
function correcting(source: SourceView): Shown {
  const { suggestedName: name, fileCount, bytes } = source;
  const { assetType, sourceType } = source.suggestion ?? { assetType: 'TERRAIN', sourceType: '' };
  const sent = { name, description: '', assetType, sourceType, clampToTerrain: false, baseTerrainId: null };
  const asSent = { ...sent, options: '{}', leftOut: [], assigned: [] };
  const action = { key: 'job.action.correct' } as const;
  return shown(
    () => {
      const { jobs, ...scenario } = usual({ source: { ok: true, value: { ...source, asSent } } });
      const files = { fileCount, bytesTotal: bytes, bytesDone: bytes, paths: source.paths };
      const error = failure('data-error', null, { message: 'No coordinate reference system in 3 files' });
      const failed = (job: JobView) => ({ ...job, ...files, name, assetType, sourceType, error });
      return { ...scenario, jobs: jobs.map((job) => (job.status === 'data-error' ? failed(job) : job)) };
    },
    button('job.action.of', { action, name }),
  );
}
