import { cesium, lostAt } from '../samples/sample-accounts.ts';
import { longNamed, manyAssets, sampleAssets } from '../samples/sample-assets.ts';
import { signInEnded, unreachableError } from '../samples/sample-errors.ts';
import { menu, usualScenario } from '../samples/usual.ts';
import type { Scenario, States, Step } from '../scenario.ts';
import { beginning, button, press, showScenario, typeInto } from '../steps.ts';

export const assets: States = {
  none: showScenario(() => listedAssets({ assets: { ok: true, value: [] } })),
  asking: showScenario(() => listedAssets({ silentCalls: ['assets.list'] })),
  offline: showScenario(() => listedAssets({ isOnline: false })),
  failing: showScenario(() => listedAssets({ assets: { ok: false, error: unreachableError } })),
  few: showScenario(listedAssets),
  one: showScenario(() => listedAssets({ assets: { ok: true, value: sampleAssets.slice(4, 5) } })),
  thousand: showScenario(() => listedAssets({ assets: { ok: true, value: manyAssets(1000) } })),
  'ten-thousand': showScenario(() => listedAssets({ assets: { ok: true, value: manyAssets(10_000) } })),
  'signed-out': showScenario(() =>
    listedAssets({
      account: { kind: 'signed-out', error: null, signedOut: [lostAt(cesium)] },
      assets: { ok: false, error: signInEnded },
    }),
  ),
  long: showScenario(longNamesScenario),
  'long-names': showScenario(longNames),
  'long-names-details': showScenario(longNames, details(longNamed[2]?.name ?? '')),
  'long-at-its-end': showScenario(longNamesScenario, { scroll: 'to the end' }),
  'long-searched': showScenario(longNamesScenario, typeInto('Altstadt 49', 'assets.search')),
  'not-found': showScenario(listedAssets, typeInto('Marsch', 'assets.search')),
  'not-found-by-several': showScenario(
    listedAssets,
    button('assets.madeHere'),
    typeInto('Altstadt', 'assets.search'),
  ),
  'made-here': showScenario(listedAssets, button('assets.madeHere')),
  statuses: showScenario(listedAssets, beginning(press('combobox', 'assets.statusFilter'))),
  'details-complete': showScenario(listedAssets, details('Orthophoto 20 cm – Kreis Ost')),
  'details-tiling': showScenario(listedAssets, details('LoD2 Altstadt')),
  'details-told': showScenario(listedAssets, details('LoD2 Altstadt'), press('switch', 'assets.panel.tell')),
  'details-unknown-status': showScenario(listedAssets, details('Geländemodell Elbe')),
  'details-data-error': showScenario(listedAssets, details('DGM Bergbaufolge Nord')),
  'details-error': showScenario(listedAssets, details('ALS Block 6 (laz)')),
  'details-waiting-here': showScenario(
    () => listedAssets({ jobs: givenUp() }),
    details('Hafen Süd 2026-11 – Befliegung'),
  ),
  'details-waiting-elsewhere': showScenario(otherAccount, details('Hafen Süd 2026-11 – Befliegung')),
  'details-share': showScenario(listedAssets, details('DGM1 2025'), button('general.share')),
  'details-edited': showScenario(listedAssets, details('DGM1 2025'), button('assets.edit.open')),
  'details-asking': showScenario(
    () => listedAssets({ silentCalls: ['assets.details'] }),
    details('DGM1 2025'),
  ),
  'details-failing': showScenario(
    () => listedAssets({ detailsError: unreachableError }),
    details('DGM1 2025'),
  ),
  'details-among-many': showScenario(
    longNamesScenario,
    typeInto('Altstadt 4', 'assets.search'),
    details('LoD2 Altstadt 4995'),
  ),
  'left-behind': showScenario(
    () => listedAssets({ jobs: givenUp() }),
    beginning(button('assets.leftBehind.filter')),
  ),
  types: showScenario(listedAssets, beginning(press('combobox', 'assets.type'))),
  'sorted-by-size': showScenario(listedAssets, button('assets.column.bytes')),
  copied: showScenario(listedAssets, button('assets.copyIdOf', { name: 'DGM1 2025' })),
  'open-failed': showScenario(
    () => listedAssets({ actError: unreachableError }),
    beginning(button('assets.openOf', { name: 'DGM1 2025' })),
  ),
};

function listedAssets(part: Partial<Scenario> = {}): Scenario {
  return usualScenario({ pageAsks: [menu('assets')], ...part });
}

function details(name: string): Step {
  return button('assets.detailsOf', { name });
}

function otherAccount(): Scenario {
  const value = sampleAssets.map((asset) => ({ ...asset, madeHere: false }));
  return listedAssets({ assets: { ok: true, value }, jobs: [] });
}

function longNamesScenario(): Scenario {
  return listedAssets({ assets: { ok: true, value: manyAssets(5000) } });
}

function longNames(): Scenario {
  return listedAssets({ assets: { ok: true, value: longNamed } });
}

function givenUp(): Scenario['jobs'] {
  const [job] = usualScenario().jobs;
  return job ? [{ ...job, id: 'given-up', assetId: 2481907, status: 'cancelled', actions: ['remove'] }] : [];
}
