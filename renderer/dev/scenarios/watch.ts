import { moment } from '../moment.ts';
import { cesium, signedInTo, survey } from '../sample-accounts.ts';
import { journalUnusable, nestedFolder } from '../sample-errors.ts';
import { waitingJobs } from '../sample-waiting-jobs.ts';
import { manyWatched, noWatch, sampleWatch, suspendedWatch } from '../sample-watch.ts';
import type { Scenario, States, Step } from '../scenario.ts';
import { menu, usual, watching } from '../usual.ts';

const openDrone: Step = { press: 'button', named: 'Drone landings' };
const edit = (name: string): Step => ({ press: 'button', named: `Edit: ${name}` });
const choose: Step = { press: 'button', named: 'Choose the folder' };
const droneMenu = (item: string): readonly Step[] => [
  { press: 'button', named: 'More actions: Drone landings' },
  { press: 'menuitem', named: item },
];

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
  long: { scenario: long },
  'long-sources': { scenario: long, steps: [{ press: 'button', named: 'Drone landings 1' }] },
  suspended: { scenario: suspended },
  'suspended-at-the-end': { scenario: suspended, steps: [{ scrollTo: 'Old handover' }] },
  offline: { scenario: () => watching({ online: false }) },
  'signed-out': {
    scenario: () => watching({ jobs: waitingJobs(moment), watch: sampleWatch(moment, survey.baseUrl) }),
  },
  failing: {
    scenario: () => watching({ watch: { ...noWatch, folders: [], error: journalUnusable } }),
  },
  'failing-later': {
    scenario: () => watching({ actError: journalUnusable }),
    steps: [openDrone, { press: 'button', named: 'Try again: 2026-11-20_Speicherstadt' }],
  },
  'other-account': {
    scenario: () => watching({ account: signedInTo(survey, cesium) }),
  },
  menu: { scenario: watching, steps: [{ press: 'button', named: 'More actions: Drone landings' }] },
  receipts: { scenario: watching, steps: [{ press: 'button', named: 'Receipts…' }] },
  activity: { scenario: watching, steps: droneMenu('Activity…') },
  'remove-asked': { scenario: watching, steps: droneMenu('Remove…') },
  'rule-new': { scenario: newRule },
  'rule-new-looking': { scenario: () => newRule({ silent: ['watch.dryRun'] }), steps: [choose] },
  'rule-new-found': { scenario: newRule, steps: [choose] },
  'rule-new-nothing-there': {
    scenario: () =>
      newRule({
        watch: {
          ...sampleWatch(moment, cesium.baseUrl),
          dryRun: { ok: true, value: { sources: [], wouldBeTaken: 0, known: 0 } },
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
  'rule-new-empty-fields': {
    scenario: newRule,
    steps: [{ press: 'button', named: 'Watch' }],
  },
  'rule-kinds': {
    scenario: watching,
    steps: [edit('Drone landings'), { press: 'combobox', named: 'Kind of data…' }],
  },
  'rule-of-files': { scenario: watching, steps: [edit('Scanner export')] },
  'rule-of-a-trigger': { scenario: watching, steps: [edit('Orthophotos from FME')] },
  'rule-options': {
    scenario: watching,
    steps: [edit('Drone landings'), { press: 'button', named: 'Tiling options' }],
  },
  'rule-options-wrong': {
    scenario: watching,
    steps: [
      edit('Drone landings'),
      { press: 'button', named: 'Tiling options' },
      { type: '13.7', into: 'Longitude' },
      { type: '{ "geometryCompression": ', into: 'Further options' },
      { press: 'button', named: 'Save' },
    ],
  },
  'rule-more': {
    scenario: () => watching({ account: signedInTo(cesium, survey) }),
    steps: [
      edit('Drone landings'),
      { press: 'button', named: 'More' },
      { scrollTo: 'Other computers watch this folder too' },
    ],
  },
};

function long(): Scenario {
  return watching({ watch: manyWatched(moment, cesium.baseUrl, 50, 500) });
}

function suspended(): Scenario {
  return watching({ watch: suspendedWatch(moment, cesium.baseUrl) });
}

function newRule(part: Partial<Scenario> = {}): Scenario {
  return watching({ asks: [menu('watch-folder')], ...part });
}
