import '../renderer/styles/app.css';
import { mount, unmount } from 'svelte';
import type { TileliftBridge } from '../preload/contract.ts';
import { fakeBridge } from './bridge/fake-bridge.ts';
import { HeldClock, startClock } from './samples/moment.ts';
import type { Scenario } from './scenario.ts';

let shownApp: object | undefined;
let isOnline = true;
Object.defineProperty(navigator, 'onLine', { get: () => isOnline });
let clock: HeldClock | undefined;

/**
 * Shows a scenario in the empty page. After a moving one, time doesn't stop again: load the page instead.
 *
 * @param wrap of the scenario's bridge
 */
export async function mountScenario(
  scenario: Scenario,
  wrap: (bridge: TileliftBridge) => TileliftBridge,
): Promise<void> {
  isOnline = scenario.isOnline;
  if (scenario.moving) startClock();
  else if (!clock) {
    clock = new HeldClock();
    clock.holdTime();
  }
  // After time stopped, because libraries keep the timers that they find.
  const { default: App } = await import('../renderer/App.svelte');
  const bridge = wrap(fakeBridge(scenario, (nowMs) => clock?.set(nowMs)));
  Object.assign(window, { tilelift: bridge });
  const target = document.getElementById('app');
  if (!target) throw new Error('The page has no place for the application.');
  shownApp = mount(App, { target, props: { bridge } });
}

/** Empties the page, with what menus leave and what is stored. Faster than loading it again. */
export async function leaveScenario(): Promise<void> {
  if (shownApp) await unmount(shownApp);
  sessionStorage.clear();
  localStorage.clear();
  document.body.removeAttribute('style');
  delete document.documentElement.dataset.theme;
  const target = document.createElement('div');
  target.id = 'app';
  document.body.replaceChildren(target);
}
