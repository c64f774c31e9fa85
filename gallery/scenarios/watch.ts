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
import { begins, button, press, scrollTo, shown, typed } from '../steps.ts';

const openDrone: Step = { press: 'button', named: 'Drone landings' };
const edit = (name: string): Step => button('watchRule.action.editOf', { name });
const choose: Step = button('watchEditor.folder.chooseLabel');
const droneMenu = (item: Key): readonly Step[] => [
  button('general.moreActions', { name: 'Drone landings' }),
  press('menuitem', item),
];

const importSteps: readonly Step[] = [
  begins(button('rulesFile.menu')),
  press('menuitem', 'rulesFile.import'),
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
  first: shown(() => usual({ asks: [menu('watch')] })),
  one: shown(() => {
    const scene = sampleWatch(moment, cesium.baseUrl);
    return watching({ watch: { ...scene, folders: scene.folders.slice(1, 2) } });
  }),
  folders: shown(watching),
  moving: shown(() => watching({ moving: true }), openDrone),
  sources: shown(watching, openDrone),
  'sources-failed': shown(watching, openDrone, { scrollTo: '2026-11-18_Test' }),
  'sources-none': shown(watching, { press: 'button', named: 'USB handover' }),
  'sources-held': shown(() => watching({ watch: heldWatch(moment, cesium.baseUrl) }), openDrone),
  'sources-left-alone': shown(() => watching({ watch: leftAloneWatch(moment, cesium.baseUrl) }), openDrone, {
    scrollTo: 'documents',
  }),
  'sources-together': shown(batchScenario, { press: 'button', named: 'Handover Altona' }),
  'sources-waits': shown(waits, openDrone),
  'activity-busy': shown(waits, ...droneMenu('watchRule.action.activity')),
  question: shown(() => asking(312)),
  'question-few': shown(() => asking(4), openDrone),
  long: shown(long),
  'long-sources': shown(long, { press: 'button', named: 'Drone landings 1' }),
  suspended: shown(suspended),
  'suspended-at-the-end': shown(suspended, { scrollTo: 'Old handover' }),
  'rules-menu': shown(watching, begins(button('rulesFile.menu'))),
  unreadable: shown(() => watching({ rulesFile: { ...noRulesFile, unreadable: unreadableRules } })),
  'unreadable-asked': shown(
    () => watching({ rulesFile: { ...noRulesFile, unreadable: unreadableRules } }),
    button('rulesFile.unreadable.removeOf', { name: 'Nightly scans' }),
  ),
  locked: shown(lockedRules),
  'locked-menu': shown(lockedRules, button('general.moreActions', { name: 'Drone landings' })),
  import: shown(() => importing(fileOfRules(cesium.baseUrl)), ...importSteps),
  'import-lacks-folder': shown(
    () => importing(fileOfRules(cesium.baseUrl)),
    ...importSteps,
    button('rulesFile.sheet.import'),
  ),
  'import-refused': shown(
    () => importing(fileOfRules(cesium.baseUrl), { index: 0, error: nestedFolder }),
    ...importSteps,
    button('rulesFile.sheet.chooseFor', { name: 'Nightly scans' }),
    button('rulesFile.sheet.import'),
  ),
  'import-problems': shown(() => importing(brokenFile), ...importSteps),
  offline: shown(() => watching({ online: false })),
  'signed-out': shown(() =>
    watching({ jobs: waitingJobs(moment), watch: sampleWatch(moment, survey.baseUrl) }),
  ),
  failing: shown(() => watching({ watch: { ...noWatch, folders: [], error: journalUnusable } })),
  'failing-later': shown(
    () => watching({ actError: journalUnusable }),
    openDrone,
    button('watchSource.action.of', {
      action: { key: 'watchSource.action.tryAgain' },
      name: '2026-11-20_Speicherstadt',
    }),
  ),
  'other-account': shown(() => watching({ account: signedInTo(survey, cesium) })),
  menu: shown(watching, button('general.moreActions', { name: 'Drone landings' })),
  receipts: shown(watching, begins(button('watch.receipts.menu'))),
  activity: shown(watching, ...droneMenu('watchRule.action.activity')),
  'remove-asked': shown(watching, ...droneMenu('watchRule.action.remove')),
  'rule-after-the-end': shown(
    () =>
      watching({
        programs: {
          success: { file: '/usr/local/bin/register-asset', arguments: ['--id={asset-id}', '{receipt}'] },
          failure: null,
        },
      }),
    ...droneMenu('watchRule.action.editMenu'),
    button('watchEditor.fold.after'),
    scrollTo('watchEditor.program.label'),
  ),
  'rule-new': shown(newRule),
  'rule-new-looking': shown(() => newRule({ silent: ['watch.dryRun'] }), choose),
  'rule-new-found': shown(newRule, choose),
  'rule-new-checking': shown(() => newRule({ watch: checkedWatch() }), choose),
  'rule-new-all-held': shown(() => newRule({ watch: allHeldWatch() }), choose),
  'rule-new-nothing-there': shown(
    () =>
      newRule({
        watch: {
          ...sampleWatch(moment, cesium.baseUrl),
          dryRun: { ok: true, value: { sources: [], wouldBeTaken: 0, known: 0 } },
          inspection: null,
        },
      }),
    choose,
  ),
  'rule-new-nested': shown(
    () =>
      newRule({
        watch: { ...sampleWatch(moment, cesium.baseUrl), dryRun: { ok: false, error: nestedFolder } },
      }),
    choose,
  ),
  'rule-new-folds': shown(newRule, choose, button('watchEditor.name'), button('watchEditor.fold.after')),
  'rule-new-empty-fields': shown(newRule, button('watchEditor.save.watch')),
  'rule-kinds': shown(watching, edit('Drone landings'), begins(press('combobox', 'watchEditor.kind.label'))),
  'rule-edited': shown(
    () => watching({ watch: editedWatch() }),
    edit('Drone landings'),
    press('radio', 'watchEditor.existing.leaveIt', { count: 7 }),
  ),
  'rule-edited-uploads': shown(
    () => watching({ watch: editedWatch() }),
    edit('Drone landings'),
    press('radio', 'watchEditor.existing.takeSome', { count: 5, held: 2 }),
  ),
  'rule-of-files': shown(watching, edit('Scanner export')),
  'rule-of-folders': shown(watching, edit('Drone landings'), press('radio', 'watchEditor.unit.folders')),
  'rule-of-what-arrives-together': shown(batchScenario, edit('Handover Altona')),
  'rule-with-a-marker': shown(
    watching,
    edit('Scanner export'),
    button('watchEditor.ready.label'),
    press('radio', 'watchEditor.ready.marker'),
  ),
  'rule-kind-of-each': shown(kindOfEach, edit('Drone landings')),
  'rule-of-a-whole-folder': shown(watching, edit('Orthophotos from FME')),
  'rule-options': shown(watching, edit('Drone landings'), button('watchEditor.options')),
  'rule-options-wrong': shown(
    watching,
    edit('Drone landings'),
    button('watchEditor.options'),
    typed('13.7', 'options.position.longitude'),
    typed('{ "geometryCompression": ', 'options.further.label'),
    button('watchEditor.save.kept'),
  ),
  'rule-safety': shown(
    () => watching({ account: signedInTo(cesium, survey) }),
    edit('Drone landings'),
    button('watchEditor.fold.safety'),
    scrollTo('watchEditor.more.shared'),
  ),
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
