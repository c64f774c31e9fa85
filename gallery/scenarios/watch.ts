import type { DryRun, DryRunLooked, RulesFileView } from '../../preload/contract.ts';
import type { Said } from '../../strings/phrase.ts';
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
  otherKind,
  sampleWatch,
  suspendedWatch,
  type WatchScene,
} from '../samples/sample-watch.ts';
import { menu, usualScenario, watchingScenario } from '../samples/usual.ts';
import type { Scenario, States, Step } from '../scenario.ts';
import { beginning, button, press, scrollTo, showScenario, typeInto } from '../steps.ts';

const openDrone: Step = { press: 'button', named: 'Drone landings' };
const edit = (name: string): Step => button('watchRule.action.editOf', { name });
const choose: Step = button('watchEditor.folder.chooseLabel');
const droneMenu = (item: Key): readonly Step[] => [
  button('general.moreActions', { name: 'Drone landings' }),
  press('menuitem', item),
];

const importSteps: readonly Step[] = [
  beginning(button('rulesFile.menu')),
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
  const olderSources = heldSource ? [{ ...heldSource, ...olderSource }] : [];
  return {
    ...scene,
    dryRun: { ok: true, value: run },
    inspection: {
      ...{ looked: 371, total: 1_412, isOver: false, heldCount: 2 },
      held: [...scene.inspection.held, ...olderSources],
    },
  };
}

export const watch: States = {
  first: showScenario(() => usualScenario({ pageAsks: [menu('watch')] })),
  one: showScenario(() => {
    const scene = sampleWatch(moment, cesium.baseUrl);
    return watchingScenario({ watch: { ...scene, folders: scene.folders.slice(1, 2) } });
  }),
  folders: showScenario(watchingScenario),
  moving: showScenario(() => watchingScenario({ moving: true }), openDrone),
  sources: showScenario(watchingScenario, openDrone),
  'sources-failed': showScenario(watchingScenario, openDrone, { scrollTo: '2026-11-18_Test' }),
  'sources-none': showScenario(watchingScenario, { press: 'button', named: 'USB handover' }),
  'sources-held': showScenario(
    () => watchingScenario({ watch: heldWatch(moment, cesium.baseUrl) }),
    openDrone,
  ),
  'sources-left-alone': showScenario(
    () => watchingScenario({ watch: leftAloneWatch(moment, cesium.baseUrl) }),
    openDrone,
    { scrollTo: 'documents' },
  ),
  'sources-together': showScenario(batchScenario, { press: 'button', named: 'Handover Altona' }),
  'sources-waits': showScenario(waitingScenario, openDrone),
  'activity-busy': showScenario(waitingScenario, ...droneMenu('watchRule.action.activity')),
  question: showScenario(() => askingScenario(312)),
  'question-few': showScenario(() => askingScenario(4), openDrone),
  long: showScenario(longNamesScenario),
  'long-sources': showScenario(longNamesScenario, { press: 'button', named: 'Drone landings 1' }),
  suspended: showScenario(suspendedScenario),
  'suspended-at-the-end': showScenario(suspendedScenario, { scrollTo: 'Old handover' }),
  'rules-menu': showScenario(watchingScenario, beginning(button('rulesFile.menu'))),
  unreadable: showScenario(() => watchingScenario({ rulesFile: { ...noRulesFile, unreadableRules } })),
  'unreadable-asked': showScenario(
    () => watchingScenario({ rulesFile: { ...noRulesFile, unreadableRules } }),
    button('rulesFile.unreadable.removeOf', { name: 'Nightly scans' }),
  ),
  locked: showScenario(lockedRules),
  'locked-menu': showScenario(lockedRules, button('general.moreActions', { name: 'Drone landings' })),
  import: showScenario(() => importing(fileOfRules(cesium.baseUrl)), ...importSteps),
  'import-lacks-folder': showScenario(
    () => importing(fileOfRules(cesium.baseUrl)),
    ...importSteps,
    button('rulesFile.sheet.import'),
  ),
  'import-refused': showScenario(
    () => importing(fileOfRules(cesium.baseUrl), { index: 0, error: nestedFolder }),
    ...importSteps,
    button('rulesFile.sheet.chooseFor', { name: 'Nightly scans' }),
    button('rulesFile.sheet.import'),
  ),
  'import-problems': showScenario(() => importing(brokenFile), ...importSteps),
  offline: showScenario(() => watchingScenario({ isOnline: false })),
  'signed-out': showScenario(() =>
    watchingScenario({ jobs: waitingJobs(moment), watch: sampleWatch(moment, survey.baseUrl) }),
  ),
  failing: showScenario(() =>
    watchingScenario({ watch: { ...noWatch, folders: [], error: journalUnusable } }),
  ),
  'failing-later': showScenario(
    () => watchingScenario({ actError: journalUnusable }),
    openDrone,
    button('watchSource.action.of', {
      action: { key: 'watchSource.action.tryAgain' },
      name: '2026-11-20_Speicherstadt',
    }),
  ),
  'other-account': showScenario(() => watchingScenario({ account: signedInTo(survey, cesium) })),
  menu: showScenario(watchingScenario, button('general.moreActions', { name: 'Drone landings' })),
  receipts: showScenario(watchingScenario, beginning(button('watch.receipts.menu'))),
  activity: showScenario(watchingScenario, ...droneMenu('watchRule.action.activity')),
  'remove-asked': showScenario(watchingScenario, ...droneMenu('watchRule.action.remove')),
  'rule-after-the-end': showScenario(
    () =>
      watchingScenario({
        programs: {
          success: { file: '/usr/local/bin/register-asset', arguments: ['--id={asset-id}', '{receipt}'] },
          failure: null,
        },
      }),
    ...droneMenu('watchRule.action.editMenu'),
    button('watchEditor.fold.after'),
    scrollTo('watchEditor.program.label'),
  ),
  'rule-new': showScenario(newRule),
  'rule-new-looking': showScenario(() => newRule({ silentCalls: ['watch.dryRun'] }), choose),
  'rule-new-found': showScenario(newRule, choose),
  'rule-new-checking': showScenario(() => newRule({ watch: checkedWatch() }), choose),
  'rule-new-all-held': showScenario(() => newRule({ watch: allHeldWatch() }), choose),
  'rule-new-nothing-there': showScenario(
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
  'rule-new-nested': showScenario(
    () =>
      newRule({
        watch: { ...sampleWatch(moment, cesium.baseUrl), dryRun: { ok: false, error: nestedFolder } },
      }),
    choose,
  ),
  'rule-new-folds': showScenario(
    newRule,
    choose,
    button('watchEditor.name'),
    button('watchEditor.fold.after'),
  ),
  'rule-new-empty-fields': showScenario(newRule, button('watchEditor.save.watch')),
  'rule-kinds': showScenario(
    watchingScenario,
    edit('Drone landings'),
    beginning(press('combobox', 'watchEditor.kind.label')),
  ),
  'rule-edited': showScenario(
    () => watchingScenario({ watch: editedWatch() }),
    edit('Drone landings'),
    press('radio', 'watchEditor.existing.leaveIt', { count: 7 }),
  ),
  'rule-edited-uploads': showScenario(
    () => watchingScenario({ watch: editedWatch() }),
    edit('Drone landings'),
    press('radio', 'watchEditor.existing.takeSome', { count: 5, held: 2 }),
  ),
  'rule-of-files': showScenario(watchingScenario, edit('Scanner export')),
  'rule-of-folders': showScenario(
    watchingScenario,
    edit('Drone landings'),
    press('radio', 'watchEditor.unit.folders'),
  ),
  'rule-of-what-arrives-together': showScenario(batchScenario, edit('Handover Altona')),
  'rule-with-a-marker': showScenario(
    watchingScenario,
    edit('Scanner export'),
    button('watchEditor.ready.label'),
    press('radio', 'watchEditor.ready.marker'),
  ),
  'rule-kind-of-each': showScenario(kindOfEach, edit('Drone landings')),
  'rule-of-a-whole-folder': showScenario(watchingScenario, edit('Orthophotos from FME')),
  'rule-options': showScenario(watchingScenario, edit('Drone landings'), button('watchEditor.options')),
  'rule-options-wrong': showScenario(
    watchingScenario,
    edit('Drone landings'),
    button('watchEditor.options'),
    typeInto('13.7', 'options.position.longitude'),
    { unfold: { key: 'options.further.label' } },
    typeInto('{ "geometryCompression": ', 'options.further.label'),
    button('watchEditor.save.kept'),
  ),
  'rule-safety': showScenario(
    () => watchingScenario({ account: signedInTo(cesium, survey) }),
    edit('Drone landings'),
    button('watchEditor.fold.safety'),
    scrollTo('watchEditor.more.shared'),
  ),
};

function askingScenario(count: number): Scenario {
  return watchingScenario({ watch: askingWatch(moment, cesium.baseUrl, count) });
}

function batchScenario(): Scenario {
  return watchingScenario({ watch: togetherWatch(moment, cesium.baseUrl) });
}

function waitingScenario(): Scenario {
  return watchingScenario({ watch: waitsWatch(moment, cesium.baseUrl) });
}

function longNamesScenario(): Scenario {
  return watchingScenario({ watch: manyWatched(moment, cesium.baseUrl, 50, 500) });
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
  return watchingScenario({ watch: { ...scene, folders } });
}

function importing(file: RulesFileView, refusedRule: RulesFileScene['refusedRule'] = null): Scenario {
  return watchingScenario({
    account: signedInTo(cesium, survey),
    rulesFile: { ...noRulesFile, file, refusedRule },
  });
}

function lockedRules(): Scenario {
  return watchingScenario({
    watch: lockedWatch(moment, cesium.baseUrl),
    rulesFile: { ...noRulesFile, unreadableRules: faultyOfPolicy },
  });
}

function suspendedScenario(): Scenario {
  return watchingScenario({ watch: suspendedWatch(moment, cesium.baseUrl) });
}

const noSystem: Said = {
  key: 'sources.held.found',
  values: {
    what: { key: 'findings.no-system-city.title', values: { count: 9 } },
    names: { names: ['campus_a.gml', 'campus_b.gml', 'campus_c.gml'], more: 6 },
  },
};

/** A new rule detects each source's kind, so no kind can be wrong. */
function newRule({ watch = sampleWatch(moment, cesium.baseUrl), ...part }: Partial<Scenario> = {}): Scenario {
  const { dryRun, inspection } = watch;
  const withSystemReason = (source: DryRunLooked['held'][number]) =>
    source.why.includes(otherKind) ? { ...source, why: [noSystem] } : source;
  return watchingScenario({
    pageAsks: [menu('watch-folder')],
    ...part,
    watch: {
      ...watch,
      dryRun: dryRun.ok ? { ok: true, value: withoutHeld(dryRun.value) } : dryRun,
      inspection: inspection && { ...inspection, held: inspection.held.map(withSystemReason) },
    },
  });
}

function withoutHeld({ wouldBeHeld: _, ...run }: DryRun): DryRun {
  return { ...run, sources: run.sources.map(({ held: _held, ...source }) => source) };
}
