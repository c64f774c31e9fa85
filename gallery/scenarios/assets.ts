import { manyAssets } from '../samples/sample-assets.ts';
import { unreachable } from '../samples/sample-errors.ts';
import { menu, usual } from '../samples/usual.ts';
import type { Scenario, States } from '../scenario.ts';

export const assets: States = {
  none: { scenario: () => listed({ assets: { ok: true, value: [] } }) },
  asking: { scenario: () => listed({ silent: ['assets.list'] }) },
  offline: { scenario: () => listed({ online: false }) },
  failing: { scenario: () => listed({ assets: { ok: false, error: unreachable } }) },
  few: { scenario: listed },
  long: { scenario: long },
  'long-at-its-end': { scenario: long, steps: [{ scroll: 'to the end' }] },
  'long-searched': { scenario: long, steps: [{ type: 'Altstadt 49', into: { key: 'assets.search' } }] },
  'not-found': { scenario: listed, steps: [{ type: 'Marsch', into: { key: 'assets.search' } }] },
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

function long(): Scenario {
  return listed({ assets: { ok: true, value: manyAssets(5000) } });
}

/** The upload that the one empty asset was created for. */
function givenUp(): Scenario['jobs'] {
  const [job] = usual().jobs;
  return job ? [{ ...job, id: 'given-up', assetId: 2481907, status: 'cancelled', actions: ['remove'] }] : [];
}
