import type { RulesFileView } from '../../preload/contract.ts';
import type { Key } from '../../strings/say.ts';
import { noRulesFile, type RulesFileScene } from '../bridge/fake-rules-file.ts';
import { moment } from '../samples/moment.ts';
import { cesium, signedInTo, survey } from '../samples/sample-accounts.ts';
import { journalUnusable, nestedFolder } from '../samples/sample-errors.ts';
import { askingWatch, heldWatch } from '../samples/sample-held.ts';
import { brokenFile, fileOfRules } from '../samples/sample-import.ts';
import { leftAloneWatch } from '../samples/sample-left-alone.ts';
import { faultyOfPolicy, lockedWatch } from '../samples/sample-locked.ts';
import { unreadableRules } from '../samples/sample-rules-file.ts';
import { togetherWatch } from '../samples/sample-together.ts';
import { waitingJobs } from '../samples/sample-waiting-jobs.ts';
import { waitsWatch } from '../samples/sample-waits.ts';
import {
  manyWatched,
  noWatch,
  sampleWatch,
  suspendedWatch,
  type WatchScene,
} from '../samples/sample-watch.ts';
import { menu, usual, watching } from '../samples/usual.ts';
import type { Scenario, States, Step } from '../scenario.ts';

const openDrone: Step = { press: 'button', named: 'Drone landings' };
const edit = (name: string): Step => ({
  press: 'button',
  named: { key: 'watchRule.action.editOf', values: { name } },
});
const fold = (key: Key): Step => ({ press: 'button', named: { key } });
const choose: Step = { press: 'button', named: { key: 'watchEditor.folder.chooseLabel' } };
const droneMenu = (item: Key): readonly Step[] => [
  { press: 'button', named: { key: 'general.moreActions', values: { name: 'Drone landings' } } },
  { press: 'menuitem', named: { key: item } },
];

const importSteps: readonly Step[] = [
  { press: 'button', named: { key: 'rulesFile.menu' }, begins: true },
  { press: 'menuitem', named: { key: 'rulesFile.import' } },
];

/** A rule whose change affects existing sources. */
function editedWatch(): WatchScene {
  const scene = sampleWatch(moment, cesium.baseUrl);
  if (!scene.dryRun.ok) return scene;
  const run = scene.dryRun.value;
  const newly = { newlyTaken: run.wouldBeTaken, newlyHeld: run.wouldBeHeld ?? 0 };
  return {
    ...scene,
    dryRun: { ok: true, value: { ...run, ...newly } },
    inspection: scene.inspection && { ...scene.inspection, newlyHeld: scene.inspection.heldCount },
  };
}

function allHeldWatch(): WatchScene {
  const scene = sampleWatch(moment, cesium.baseUrl);
  if (!scene.dryRun.ok || !scene.inspection) return scene;
  const run = scene.dryRun.value;
  const [heldSource] = run.sources.flatMap((source) => (source.held ? [source] : []));
  const sources = run.sources.map((source) => ({ ...heldSource, ...source, held: heldSource?.held ?? [] }));
  const heldSources = sources.map(({ held: why, path, name, files, bytes }) => ({
    path,
    name,
    files,
    bytes,
    why,
  }));
  return {
    ...scene,
    dryRun: { ok: true, value: { ...run, sources, wouldBeHeld: sources.length } },
    inspection: { ...scene.inspection, heldCount: heldSources.length, held: heldSources },
  };
}

/** A folder with more sources than listed, under inspection. */
function checkedWatch(): WatchScene {
  const scene = sampleWatch(moment, cesium.baseUrl);
  if (!scene.dryRun.ok || !scene.inspection) return scene;
  const run = { ...scene.dryRun.value, wouldBeTaken: 1_412 };
  const [heldSource] = scene.inspection.held;
  const olderSource = { path: 'old/2019_Kaimauer', name: '2019_Kaimauer', files: 9_410, bytes: 88e9 };
  const further = heldSource ? [{ ...heldSource, ...olderSource }] : [];
  return {
    ...scene,
    dryRun: { ok: true, value: run },
    inspection: {
      ...{ looked: 371, total: 1_412, isOver: false, heldCount: 2 },
      held: [...scene.inspection.held, ...further],
    },
  };
}

export const watch: States = {
  first: { scenario: () => usual({ asks: [menu('watch')] }) },
  one: {
    scenario: () => {
      const scene = sampleWatch(moment, cesium.baseUrl);
      return watching({ watch: { ...scene, folders: scene.folders.slice(1, 2) } });
    },
  },
  folders: { scenario: watching },
  moving: { scenario: () => watching({ moving: true }), steps: [openDrone] },
  sources: { scenario: watching, steps: [openDrone] },
  'sources-failed': { scenario: watching, steps: [openDrone, { scrollTo: '2026-11-18_Test' }] },
  'sources-none': { scenario: watching, steps: [{ press: 'button', named: 'USB handover' }] },
  'sources-held': {
    scenario: () => watching({ watch: heldWatch(moment, cesium.baseUrl) }),
    steps: [openDrone],
  },
  'sources-left-alone': {
    scenario: () => watching({ watch: leftAloneWatch(moment, cesium.baseUrl) }),
    steps: [openDrone, { scrollTo: 'documents' }],
  },
  'sources-together': { scenario: batchScenario, steps: [{ press: 'button', named: 'Handover Altona' }] },
  'sources-waits': { scenario: waits, steps: [openDrone] },
  'activity-busy': { scenario: waits, steps: droneMenu('watchRule.action.activity') },
  question: { scenario: () => asking(312) },
  'question-few': { scenario: () => asking(4), steps: [openDrone] },
  long: { scenario: long },
  'long-sources': { scenario: long, steps: [{ press: 'button', named: 'Drone landings 1' }] },
  suspended: { scenario: suspended },
  'suspended-at-the-end': { scenario: suspended, steps: [{ scrollTo: 'Old handover' }] },
  'rules-menu': {
    scenario: watching,
    steps: [{ press: 'button', named: { key: 'rulesFile.menu' }, begins: true }],
  },
  unreadable: { scenario: () => watching({ rulesFile: { ...noRulesFile, unreadable: unreadableRules } }) },
  'unreadable-asked': {
    scenario: () => watching({ rulesFile: { ...noRulesFile, unreadable: unreadableRules } }),
    steps: [
      { press: 'button', named: { key: 'rulesFile.unreadable.removeOf', values: { name: 'Nightly scans' } } },
    ],
  },
  locked: { scenario: lockedRules },
  'locked-menu': {
    scenario: lockedRules,
    steps: [{ press: 'button', named: { key: 'general.moreActions', values: { name: 'Drone landings' } } }],
  },
  import: { scenario: () => importing(fileOfRules(cesium.baseUrl)), steps: importSteps },
  'import-lacks-folder': {
    scenario: () => importing(fileOfRules(cesium.baseUrl)),
    steps: [...importSteps, { press: 'button', named: { key: 'rulesFile.sheet.import' } }],
  },
  'import-refused': {
    scenario: () => importing(fileOfRules(cesium.baseUrl), { index: 0, error: nestedFolder }),
    steps: [
      ...importSteps,
      { press: 'button', named: { key: 'rulesFile.sheet.chooseFor', values: { name: 'Nightly scans' } } },
      { press: 'button', named: { key: 'rulesFile.sheet.import' } },
    ],
  },
  'import-problems': { scenario: () => importing(brokenFile), steps: importSteps },
  offline: { scenario: () => watching({ online: false }) },
  'signed-out': {
    scenario: () => watching({ jobs: waitingJobs(moment), watch: sampleWatch(moment, survey.baseUrl) }),
  },
  failing: {
    scenario: () => watching({ watch: { ...noWatch, folders: [], error: journalUnusable } }),
  },
  'failing-later': {
    scenario: () => watching({ actError: journalUnusable }),
    steps: [
      openDrone,
      {
        press: 'button',
        named: {
          key: 'watchSource.action.of',
          values: { action: { key: 'watchSource.action.tryAgain' }, name: '2026-11-20_Speicherstadt' },
        },
      },
    ],
  },
  'other-account': {
    scenario: () => watching({ account: signedInTo(survey, cesium) }),
  },
  menu: {
    scenario: watching,
    steps: [{ press: 'button', named: { key: 'general.moreActions', values: { name: 'Drone landings' } } }],
  },
  receipts: {
    scenario: watching,
    steps: [{ press: 'button', named: { key: 'watch.receipts.menu' }, begins: true }],
  },
  activity: { scenario: watching, steps: droneMenu('watchRule.action.activity') },
  'remove-asked': { scenario: watching, steps: droneMenu('watchRule.action.remove') },
  'rule-after-the-end': {
    scenario: () =>
      watching({
        programs: {
          success: { file: '/usr/local/bin/register-asset', arguments: ['--id={asset-id}', '{receipt}'] },
          failure: null,
        },
      }),
    steps: [
      ...droneMenu('watchRule.action.editMenu'),
      fold('watchEditor.fold.after'),
      { scrollTo: { key: 'watchEditor.program.label' } },
    ],
  },
  'rule-new': { scenario: newRule },
  'rule-new-looking': { scenario: () => newRule({ silent: ['watch.dryRun'] }), steps: [choose] },
  'rule-new-found': { scenario: newRule, steps: [choose] },
  'rule-new-checking': { scenario: () => newRule({ watch: checkedWatch() }), steps: [choose] },
  'rule-new-all-held': { scenario: () => newRule({ watch: allHeldWatch() }), steps: [choose] },
  'rule-new-nothing-there': {
    scenario: () =>
      newRule({
        watch: {
          ...sampleWatch(moment, cesium.baseUrl),
          dryRun: { ok: true, value: { sources: [], wouldBeTaken: 0, known: 0 } },
          inspection: null,
        },
      }),
    steps: [choose],
  },
  'rule-new-nested': {
    scenario: () =>
      newRule({
        watch: { ...sampleWatch(moment, cesium.baseUrl), dryRun: { ok: false, error: nestedFolder } },
      }),
    steps: [choose],
  },
  'rule-new-folds': {
    scenario: newRule,
    steps: [choose, fold('watchEditor.name'), fold('watchEditor.fold.after')],
  },
  'rule-new-empty-fields': {
    scenario: newRule,
    steps: [{ press: 'button', named: { key: 'watchEditor.save.watch' } }],
  },
  'rule-kinds': {
    scenario: watching,
    steps: [
      edit('Drone landings'),
      { press: 'combobox', named: { key: 'watchEditor.kind.label' }, begins: true },
    ],
  },
  'rule-edited': {
    scenario: () => watching({ watch: editedWatch() }),
    steps: [
      edit('Drone landings'),
      { press: 'radio', named: { key: 'watchEditor.existing.leaveIt', values: { count: 7 } } },
    ],
  },
  'rule-edited-uploads': {
    scenario: () => watching({ watch: editedWatch() }),
    steps: [
      edit('Drone landings'),
      { press: 'radio', named: { key: 'watchEditor.existing.takeSome', values: { count: 5, held: 2 } } },
    ],
  },
  'rule-of-files': { scenario: watching, steps: [edit('Scanner export')] },
  'rule-of-folders': {
    scenario: watching,
    steps: [edit('Drone landings'), { press: 'radio', named: { key: 'watchEditor.unit.folders' } }],
  },
  'rule-of-what-arrives-together': { scenario: batchScenario, steps: [edit('Handover Altona')] },
  'rule-with-a-marker': {
    scenario: watching,
    steps: [
      edit('Scanner export'),
      fold('watchEditor.ready.label'),
      { press: 'radio', named: { key: 'watchEditor.ready.marker' } },
    ],
  },
  'rule-kind-of-each': { scenario: kindOfEach, steps: [edit('Drone landings')] },
  'rule-of-a-whole-folder': { scenario: watching, steps: [edit('Orthophotos from FME')] },
  'rule-options': {
    scenario: watching,
    steps: [edit('Drone landings'), { press: 'button', named: { key: 'watchEditor.options' } }],
  },
  'rule-options-wrong': {
    scenario: watching,
    steps: [
      edit('Drone landings'),
      { press: 'button', named: { key: 'watchEditor.options' } },
      { type: '13.7', into: { key: 'options.position.longitude' } },
      { type: '{ "geometryCompression": ', into: { key: 'options.further.label' } },
      { press: 'button', named: { key: 'watchEditor.save.kept' } },
    ],
  },
  'rule-safety': {
    scenario: () => watching({ account: signedInTo(cesium, survey) }),
    steps: [
      edit('Drone landings'),
      fold('watchEditor.fold.safety'),
      { scrollTo: { key: 'watchEditor.more.shared' } },
    ],
  },
};

function asking(count: number): Scenario {
  return watching({ watch: askingWatch(moment, cesium.baseUrl, count) });
}

function batchScenario(): Scenario {
  return watching({ watch: togetherWatch(moment, cesium.baseUrl) });
}

function waits(): Scenario {
  return watching({ watch: waitsWatch(moment, cesium.baseUrl) });
}

function long(): Scenario {
  return watching({ watch: manyWatched(moment, cesium.baseUrl, 50, 500) });
}

function kindOfEach(): Scenario {
  const scene = sampleWatch(moment, cesium.baseUrl);
  const folders = scene.folders.map((view) => ({
    ...view,
    rule: {
      ...view.rule,
      kindFrom: 'content' as const,
      assetType: '3DTILES' as const,
      sourceType: '3D_MODEL',
    },
  }));
  return watching({ watch: { ...scene, folders } });
}

function importing(file: RulesFileView, refused: RulesFileScene['refused'] = null): Scenario {
  return watching({
    account: signedInTo(cesium, survey),
    rulesFile: { ...noRulesFile, file, refused },
  });
}

function lockedRules(): Scenario {
  return watching({
    watch: lockedWatch(moment, cesium.baseUrl),
    rulesFile: { ...noRulesFile, unreadable: faultyOfPolicy },
  });
}

function suspended(): Scenario {
  return watching({ watch: suspendedWatch(moment, cesium.baseUrl) });
}

function newRule(part: Partial<Scenario> = {}): Scenario {
  return watching({ asks: [menu('watch-folder')], ...part });
}
