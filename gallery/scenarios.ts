import { usualScenario } from './samples/usual.ts';
import type { Scenario, ShownScenario, States } from './scenario.ts';
import { accounts } from './scenarios/accounts.ts';
import { assets } from './scenarios/assets.ts';
import { newAsset } from './scenarios/new-asset.ts';
import { settings } from './scenarios/settings.ts';
import { shell } from './scenarios/shell.ts';
import { uploads } from './scenarios/uploads.ts';
import { watch } from './scenarios/watch.ts';
import { welcome } from './scenarios/welcome.ts';

const screens: Readonly<Record<string, States>> = {
  welcome,
  shell,
  accounts,
  uploads,
  'new-asset': newAsset,
  watch,
  assets,
  settings,
};

/** All states by `screen/state`, for the gallery, its pictures and tests. */
export const scenarios: ReadonlyMap<string, ShownScenario> = new Map(
  Object.entries(screens).flatMap(([screen, states]) =>
    Object.entries(states).map(([state, entry]) => [`${screen}/${state}`, entry] as const),
  ),
);

/** The scenario of the page's address; default `uploads/busy`. */
export function scenarioFrom(query: URLSearchParams): Scenario {
  const scenario = scenarios.get(query.get('scenario') ?? '')?.scenario() ?? usualScenario();
  const theme = query.get('theme');
  if (theme !== 'light' && theme !== 'dark') return scenario;
  return { ...scenario, info: { ...scenario.info, appearance: theme } };
}
