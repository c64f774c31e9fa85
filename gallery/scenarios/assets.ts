import { cesium, lostAt } from '../samples/sample-accounts.ts';
import { longNamed, manyAssets, sampleAssets } from '../samples/sample-assets.ts';
import { unreachable } from '../samples/sample-errors.ts';
import { menu, usual } from '../samples/usual.ts';
import type { Scenario, States, Step } from '../scenario.ts';
import { begins, button, press, shown, typed } from '../steps.ts';

export const assets: States = {
  none: shown(() => listed({ assets: { ok: true, value: [] } })),
  asking: shown(() => listed({ silent: ['assets.list'] })),
  offline: shown(() => listed({ online: false })),
  failing: shown(() => listed({ assets: { ok: false, error: unreachable } })),
  few: shown(listed),
  one: shown(() => listed({ assets: { ok: true, value: sampleAssets.slice(4, 5) } })),
  thousand: shown(() => listed({ assets: { ok: true, value: manyAssets(1000) } })),
  'ten-thousand': shown(() => listed({ assets: { ok: true, value: manyAssets(10_000) } })),
  'signed-out': shown(() =>
    listed({ account: { kind: 'signed-out', error: null, signedOut: [lostAt(cesium)] } }),
  ),
  long: shown(long),
  'long-names': shown(longNames),
  'long-names-details': shown(longNames, details(longNamed[2]?.name ?? '')),
  'long-at-its-end': shown(long, { scroll: 'to the end' }),
  'long-searched': shown(long, typed('Altstadt 49', 'assets.search')),
  'not-found': shown(listed, typed('Marsch', 'assets.search')),
  'not-found-by-several': shown(listed, button('assets.madeHere'), typed('Altstadt', 'assets.search')),
  'made-here': shown(listed, button('assets.madeHere')),
  statuses: shown(listed, begins(press('combobox', 'assets.statusFilter'))),
  'details-complete': shown(listed, details('Orthophoto 20 cm – Kreis Ost')),
  'details-tiling': shown(listed, details('LoD2 Altstadt')),
  'details-told': shown(listed, details('LoD2 Altstadt'), press('switch', 'assets.panel.tell')),
  'details-unknown-status': shown(listed, details('Geländemodell Elbe')),
  'details-data-error': shown(listed, details('DGM Bergbaufolge Nord')),
  'details-error': shown(listed, details('ALS Block 6 (laz)')),
  'details-waiting-here': shown(() => listed({ jobs: givenUp() }), details('Hafen Süd 2026-11 – Befliegung')),
  'details-waiting-elsewhere': shown(elsewhere, details('Hafen Süd 2026-11 – Befliegung')),
  'details-share': shown(listed, details('DGM1 2025'), button('general.share')),
  'details-edited': shown(listed, details('DGM1 2025'), button('assets.edit.open')),
  'details-asking': shown(() => listed({ silent: ['assets.details'] }), details('DGM1 2025')),
  'details-failing': shown(() => listed({ detailsError: unreachable }), details('DGM1 2025')),
  'details-among-many': shown(long, typed('Altstadt 4', 'assets.search'), details('LoD2 Altstadt 4995')),
  'left-behind': shown(() => listed({ jobs: givenUp() }), begins(button('assets.leftBehind.filter'))),
  types: shown(listed, begins(press('combobox', 'assets.type'))),
  'sorted-by-size': shown(listed, button('assets.column.bytes')),
  copied: shown(listed, button('assets.copyIdOf', { name: 'DGM1 2025' })),
  'open-failed': shown(
    () => listed({ actError: unreachable }),
    begins(button('assets.openOf', { name: 'DGM1 2025' })),
  ),
};

function listed(part: Partial<Scenario> = {}): Scenario {
  return usual({ asks: [menu('assets')], ...part });
}

function details(name: string): Step {
  return button('assets.detailsOf', { name });
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
