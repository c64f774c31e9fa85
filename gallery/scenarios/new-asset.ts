import type { JobView, SourceView } from '../../preload/contract.ts';
import { faultyPresets, samplePresets } from '../samples/options/sample-presets.ts';
import { emptySource, refusedError, systemFileExists } from '../samples/sample-errors.ts';
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
import { usualScenario } from '../samples/usual.ts';
import type { Scenario, ShownScenario, States, Step } from '../scenario.ts';
import { beginning, button, press, scrollTo, showScenario, typeInto } from '../steps.ts';

const upload: Step = button('newAsset.upload');
const clampTo: readonly Step[] = [
  press('switch', 'options.clamp.label'),
  beginning(press('combobox', 'options.clamp.baseTerrain')),
];
const moreOptions: Step = button('newAsset.moreOptions');
const editTypes: readonly Step[] = [button('newAsset.kind.change'), press('menuitem', 'options.types.edit')];
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
const siteFolders = Array.from({ length: 30 }, (_, index) => `/srv/uav/Sites/Site ${index + 1}`);
const longText =
  '## Befliegung 2026\n\nFlown on **20 November**, 4 cm, see [the order](https://example.com/1182).\n\n- north block\n- south block';

export const newAsset: States = {
  looking: showScenario(() => ({ ...droppedScenario(citySource), silentCalls: ['source.inspect'] })),
  'looking-on-the-map': showScenario(() => {
    const firstFiles = placedAs(placedSource.footprints.slice(0, 20));
    return { ...droppedScenario(placedSource), walkedView: { fileCount: 48_120, ...firstFiles } };
  }),
  'nothing-in-it': showScenario(() => ({
    ...droppedScenario(citySource),
    source: { ok: false, error: emptySource },
  })),
  recognised: droppingScenario(citySource),
  'not-recognised': droppingScenario(mixedSource),
  photos: droppingScenario(photoSource),
  'many-findings': droppingScenario(doubtfulSource),
  'how-to-convert': droppingScenario(unlistedSource, button('howTo.show')),
  'how-to-convert-newer': droppingScenario(newlyListedSource, button('howTo.show')),
  'findings-of-cities': droppingScenario(citiesOfAllKinds),
  'findings-of-cities-middle': droppingScenario(
    citiesOfAllKinds,
    scrollTo('findings.backslash-references.title', { count: 1 }),
  ),
  'findings-of-cities-end': droppingScenario(
    citiesOfAllKinds,
    scrollTo('findings.large-asset.title', { size: { bytes: 23.4e9 } }),
  ),
  'findings-of-archives': droppingScenario(archivesSource),
  'findings-of-tiles': droppingScenario(unevenTilesSource, scrollTo('findings.gaps.title', { missing: 3 })),
  'findings-of-photos': droppingScenario(twoFlightsSource),
  'findings-of-points': droppingScenario(pointsInFeetSource),
  'split-by-folder': showScenario(() => ({ ...droppedScenario(capturedSource), folders: siteFolders })),
  'one-finding': droppingScenario(incompleteSource),
  'on-the-map': droppingScenario(placedSource),
  'many-on-the-map': droppingScenario(manyTilesSource),
  'country-on-the-map': droppingScenario(countryTilesSource),
  'far-apart-on-the-map': droppingScenario(scatteredSource),
  'ring-chosen': droppingScenario(doubtfulSource, file('dgm_0188.tif')),
  'ring-chosen-among-many': droppingScenario(manyTilesSource, file('dgm_0812.tif')),
  'ring-chosen-in-a-country': droppingScenario(countryTilesSource, file('dgm_0001.tif')),
  'correct-system': correcting(incompleteSource),
  'correct-option': correcting(pointsSource),
  'system-assigned': droppingScenario(doubtfulSource, useSystem),
  'system-refused': showScenario(
    () => ({ ...droppedScenario(doubtfulSource), checkError: systemFileExists }),
    useSystem,
  ),
  'system-asked': droppingScenario(doubtfulSource, askSystem, typeInto('zone', 'findings.assign.label')),
  'systems-compared': droppingScenario(
    doubtfulSource,
    askSystem,
    typeInto('EPSG:25833', 'findings.assign.label'),
  ),
  'system-not-known': droppingScenario(
    doubtfulSource,
    askSystem,
    typeInto('Local grid', 'findings.assign.label'),
    button('findings.assign.apply'),
  ),
  'files-left-out': droppingScenario(doubtfulSource, leaveOut(1), leaveOut(4)),
  'file-left-out-chosen': droppingScenario(doubtfulSource, leaveOut(1), useSystem, file('dgm_0188.tif')),
  'files-to-take-along': droppingScenario(modelsAloneSource),
  'files-taken-along': droppingScenario(modelsAloneSource, button('findings.ways.takeAlong', { count: 14 })),
  'position-known': droppingScenario(capturedSource),
  'position-taken': droppingScenario(capturedSource, button('findings.ways.position'), moreOptions),
  'heights-stated': droppingScenario(doubtfulSource, button('options.fields.heightReference.WGS84')),
  'tileset-root': droppingScenario(tilesetSource),
  'wrong-kind': droppingScenario(colouredSource),
  'one-dataset': droppingScenario(oneRasterSource),
  'nothing-known': droppingScenario(unknownSource),
  remembered: droppingScenario(rememberedSource),
  'made-before': droppingScenario(madeBeforeSource),
  'made-before-changed': droppingScenario(madeChangedSource),
  several: droppingScenario(severalSource),
  'several-kinds': droppingScenario(essenSource),
  'several-kinds-left-out': droppingScenario(
    essenSource,
    button('newAsset.proposal.leaveOut', { name: 'Scan Zollverein' }),
    button('newAsset.out.showList'),
  ),
  'single-files-left-out': showScenario(
    () => droppedScenario({ ...essenSource, ...placedAs(placedSource.footprints.slice(0, 24), 1_361) }),
    button('newAsset.out.showList'),
    button('newAsset.out.includeFile', { name: 'Bericht.docx' }),
    press('menuitem', 'newAsset.out.includeIn', { name: 'Scan Zollverein' }),
    button('newAsset.out.includeFile', { name: 'roads.shp' }),
    press('menuitem', 'newAsset.out.includeIn', { name: 'LoD2 Altstadt' }),
  ),
  'one-kind-file-taken-in': droppingScenario(
    reportedSource,
    button('newAsset.out.showList'),
    button('newAsset.out.includeFile', { name: 'Abnahme.docx' }),
  ),
  'several-kinds-menu': droppingScenario(
    essenSource,
    button('newAsset.proposal.menu', { name: 'Scan Zollverein' }),
  ),
  'several-kinds-position': droppingScenario(essenSource, beginning(button('newAsset.proposal.setPosition'))),
  'several-kinds-combine': droppingScenario(essenSource, button('newAsset.combine.ask')),
  mixture: droppingScenario(failingMixtureSource),
  'mixture-notes': droppingScenario(failingMixtureSource, notesOf('Delivery 2026-11 · Ortho', 2)),
  'mixture-assigned': droppingScenario(
    failingMixtureSource,
    notesOf('Delivery 2026-11 · Ortho', 2),
    useSystem,
  ),
  'mixture-fine': droppingScenario(fineMixtureSource),
  'mixture-already': droppingScenario(siteSource),
  'a-thousand-assets': droppingScenario(thousandSource),
  'one-kind-with-documents': droppingScenario(reportedSource),
  'documents-how-to': droppingScenario(reportedSource, button('howTo.show')),
  'taken-along': droppingScenario(takenSource),
  'taken-along-many': droppingScenario(modelTakenSource),
  'closing-typed': droppingScenario(
    citySource,
    typeInto('Altstadt 2026', 'newAsset.name'),
    button('general.cancel'),
  ),
  'several-as-one': showScenario(() => droppedScenario({ ...severalSource, suggestSeparate: false })),
  offline: showScenario(() => ({ ...droppedScenario(citySource), isOnline: false })),
  tight: showScenario(() => droppedScenario(largeSource(0.86))),
  'too-large': showScenario(() => droppedScenario(largeSource(2.3))),
  'too-large-asked': showScenario(
    () => ({ ...droppedScenario(largeSource(2.3)), folders: siteFolders }),
    upload,
  ),
  'left-out': droppingScenario(
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
  presets: showScenario(
    () => ({ ...droppedScenario(citySource), presets: samplePresets }),
    button('presets.button'),
  ),
  'presets-none': droppingScenario(citySource, button('presets.button'), button('presets.saveAs')),
  'presets-faulty': showScenario(
    () => ({ ...droppedScenario(citySource), presets: samplePresets, importedPresets: faultyPresets }),
    button('presets.button'),
    button('presets.import'),
  ),
  'kind-menu': droppingScenario(citySource, button('newAsset.kind.change')),
  'asset-types': droppingScenario(
    citySource,
    ...editTypes,
    beginning(press('combobox', 'options.types.assetType')),
  ),
  'source-types': droppingScenario(citySource, ...editTypes, press('combobox', 'options.types.sourceType')),
  'base-terrains': droppingScenario(citySource, ...clampTo),
  'base-terrain-under-way': droppingScenario(citySource, ...clampTo, {
    press: 'option',
    named: 'Geländemodell Elbe',
    begins: true,
  }),
  'base-terrain-typed': droppingScenario(
    citySource,
    ...clampTo,
    press('option', 'options.clamp.another'),
    typeInto('2310012a', 'options.clamp.typeId'),
  ),
  'more-options': droppingScenario(citySource, moreOptions),
  'position-on-the-map': droppingScenario(modelSource, moreOptions, button('options.position.pick')),
  'more-options-of-a-model': droppingScenario(modelSource, moreOptions),
  'more-options-of-a-terrain': droppingScenario(placedSource, moreOptions),
  'coordinate-systems': droppingScenario(
    modelSource,
    moreOptions,
    typeInto('utm', 'options.fields.inputCrs.label'),
  ),
  'coordinate-system-entered': droppingScenario(
    modelSource,
    moreOptions,
    typeInto('EPSG:31467', 'options.fields.inputCrs.label'),
  ),
  'options-wrong': droppingScenario(
    modelSource,
    moreOptions,
    typeInto('13.7', 'options.position.longitude'),
    { unfold: { key: 'options.further.label' } },
    typeInto('{ "geometryCompression": ', 'options.further.label'),
    upload,
  ),
  'fields-empty': droppingScenario(mixedSource, typeInto('', 'newAsset.name'), upload),
  description: droppingScenario(
    citySource,
    typeInto(longText, 'newAsset.description.label'),
    button('newAsset.description.preview'),
  ),
  refused: showScenario(() => ({ ...droppedScenario(citySource), createError: refusedError }), upload),
};

function droppedScenario(source: SourceView): Scenario {
  return usualScenario({
    source: { ok: true, value: source },
    pageAsks: [{ kind: 'source', paths: source.paths }],
  });
}

/** Such a source dropped on the window. */
function droppingScenario(source: SourceView, ...steps: readonly Step[]): ShownScenario {
  return showScenario(() => droppedScenario(source), ...steps);
}

/** A failed source with the sent values and the service's message. */
function correcting(source: SourceView): ShownScenario {
  const { suggestedName: name, fileCount, bytes } = source;
  const { assetType, sourceType } = source.suggestion ?? { assetType: 'TERRAIN', sourceType: '' };
  const sentInput = {
    name,
    description: '',
    assetType,
    sourceType,
    clampToTerrain: false,
    baseTerrainId: null,
  };
  const asSent = { ...sentInput, options: '{}', leftOut: [], assigned: [] };
  const action = { key: 'job.action.correct' } as const;
  return showScenario(
    () => {
      const { jobs, ...scenario } = usualScenario({ source: { ok: true, value: { ...source, asSent } } });
      const files = { fileCount, bytesTotal: bytes, bytesDone: bytes, paths: source.paths };
      const error = failure('data-error', null, { message: 'No coordinate reference system in 3 files' });
      const failedWith = (job: JobView) => ({ ...job, ...files, name, assetType, sourceType, error });
      return { ...scenario, jobs: jobs.map((job) => (job.status === 'data-error' ? failedWith(job) : job)) };
    },
    button('job.action.of', { action, name }),
  );
}
