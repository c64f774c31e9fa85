import { cesium, lostAt } from '../samples/sample-accounts.ts';
import { longNamed, manyAssets, sampleAssets } from '../samples/sample-assets.ts';
import { unreachable } from '../samples/sample-errors.ts';
import { menu, usual } from '../samples/usual.ts';
import type { Scenario, States, Step } from '../scenario.ts';

export const assets: States = {
  none: { scenario: () => listed({ assets: { ok: true, value: [] } }) },
  asking: { scenario: () => listed({ silent: ['assets.list'] }) },
  offline: { scenario: () => listed({ online: false }) },
  failing: { scenario: () => listed({ assets: { ok: false, error: unreachable } }) },
  few: { scenario: listed },
  one: { scenario: () => listed({ assets: { ok: true, value: sampleAssets.slice(4, 5) } }) },
  thousand: { scenario: () => listed({ assets: { ok: true, value: manyAssets(1000) } }) },
  'ten-thousand': { scenario: () => listed({ assets: { ok: true, value: manyAssets(10_000) } }) },
  'signed-out': {
    scenario: () => listed({ account: { kind: 'signed-out', error: null, signedOut: [lostAt(cesium)] } }),
  },
  long: { scenario: long },
  'long-names': { scenario: longNames },
  'long-names-details': { scenario: longNames, steps: [details(longNamed[2]?.name ?? '')] },
  'long-at-its-end': { scenario: long, steps: [{ scroll: 'to the end' }] },
  'long-searched': { scenario: long, steps: [{ type: 'Altstadt 49', into: { key: 'assets.search' } }] },
  'not-found': { scenario: listed, steps: [{ type: 'Marsch', into: { key: 'assets.search' } }] },
  'not-found-by-several': {
    scenario: listed,
    steps: [
      { press: 'button', named: { key: 'assets.madeHere' } },
      { type: 'Altstadt', into: { key: 'assets.search' } },
    ],
  },
  'made-here': { scenario: listed, steps: [{ press: 'button', named: { key: 'assets.madeHere' } }] },
  statuses: {
    scenario: listed,
    steps: [{ press: 'combobox', named: { key: 'assets.statusFilter' }, begins: true }],
  },
  'details-complete': { scenario: listed, steps: [details('Orthophoto 20 cm – Kreis Ost')] },
  'details-tiling': { scenario: listed, steps: [details('LoD2 Altstadt')] },
  'details-told': {
    scenario: listed,
    steps: [details('LoD2 Altstadt'), { press: 'switch', named: { key: 'assets.panel.tell' } }],
  },
  'details-unknown-status': { scenario: listed, steps: [details('Geländemodell Elbe')] },
  'details-data-error': { scenario: listed, steps: [details('DGM Bergbaufolge Nord')] },
  'details-error': { scenario: listed, steps: [details('ALS Block 6 (laz)')] },
  'details-waiting-here': {
    scenario: () => listed({ jobs: givenUp() }),
    steps: [details('Hafen Süd 2026-11 – Befliegung')],
  },
  'details-waiting-elsewhere': { scenario: elsewhere, steps: [details('Hafen Süd 2026-11 – Befliegung')] },
  'details-share': {
    scenario: listed,
    steps: [details('DGM1 2025'), { press: 'button', named: { key: 'general.share' } }],
  },
  'details-edited': {
    scenario: listed,
    steps: [details('DGM1 2025'), { press: 'button', named: { key: 'assets.edit.open' } }],
  },
  'details-asking': {
    scenario: () => listed({ silent: ['assets.details'] }),
    steps: [details('DGM1 2025')],
  },
  'details-failing': {
    scenario: () => listed({ detailsError: unreachable }),
    steps: [details('DGM1 2025')],
  },
  'details-among-many': {
    scenario: long,
    steps: [{ type: 'Altstadt 4', into: { key: 'assets.search' } }, details('LoD2 Altstadt 4995')],
  },
  'left-behind': {
    scenario: () => listed({ jobs: givenUp() }),
    steps: [{ press: 'button', named: { key: 'assets.leftBehind.filter' }, begins: true }],
  },
  types: { scenario: listed, steps: [{ press: 'combobox', named: { key: 'assets.type' }, begins: true }] },
  'sorted-by-size': { scenario: listed, steps: [{ press: 'button', named: { key: 'assets.column.bytes' } }] },
  copied: {
    scenario: listed,
    steps: [{ press: 'button', named: { key: 'assets.copyIdOf', values: { name: 'DGM1 2025' } } }],
  },
  'open-failed': {
    scenario: () => listed({ actError: unreachable }),
    steps: [
      { press: 'button', named: { key: 'assets.openOf', values: { name: 'DGM1 2025' } }, begins: true },
    ],
  },
};

function listed(part: Partial<Scenario> = {}): Scenario {
  return usual({ asks: [menu('assets')], ...part });
}

function details(name: string): Step {
  return { press: 'button', named: { key: 'assets.detailsOf', values: { name } } };
}

function elsewhere(): Scenario {
  const value = sampleAssets.map((asset) => ({ ...asset, madeHere: false }));
  return listed({ assets: { ok: true, value }, jobs: [] });
}

function long(): Scenario {
  return listed({ assets: { ok: true, value: manyAssets(5000) } });
}

function longNames(): Scenario {
  return listed({ assets: { ok: true, value: longNamed } });
}

function givenUp(): Scenario['jobs'] {
  const [job] = usual().jobs;
  return job ? [{ ...job, id: 'given-up', assetId: 2481907, status: 'cancelled', actions: ['remove'] }] : [];
}
