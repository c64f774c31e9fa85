/**
 * The application on a bridge that is played: `?scenario=uploads/busy&theme=dark&language=de`. Scenarios are
 * in `scenarios/`. `?components` shows the components alone.
 */

import { catalogues, sayPhrase, speak } from '../renderer/say.ts';
import { speechFromAddress } from '../strings/address.ts';
import { crowded } from './crowded.ts';
import { scrollsSideways, unreachable, windowScrolls } from './reach.ts';
import { HeldClock, moment, startClock } from './samples/moment.ts';
import { settled } from './settled.ts';
import { CrossedData, cutOff, unsaid } from './unsaid.ts';

const query = new URLSearchParams(location.search);
// Before the scenarios are loaded: what main would say is said in them.
const speech = speechFromAddress(catalogues, location.search);
speak(speech);
// For whoever takes pictures of the gallery and checks it.
let crossed = new CrossedData();
document.addEventListener('input', ({ target }) => {
  const isTyped = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  if (isTyped) crossed.keep({ description: target.value });
});
Object.assign(window, {
  sayPhrase,
  settled,
  unreachable,
  scrollsSideways,
  windowScrolls,
  crowded,
  cutOff,
  unsaid: () => unsaid(crossed),
  // From here the engine keeps it compiled.
  loadAxe: async () => void (await import('axe-core/axe.min.js')),
});
if (query.has('components')) await import('./components/show.ts');
else {
  const { mount, unmount } = await import('svelte');
  await import('../renderer/styles/app.css');
  const { default: App } = await import('../renderer/App.svelte');
  const { fakeBridge } = await import('./bridge/fake-bridge.ts');
  const { scenarioFrom } = await import('./scenarios.ts');
  const clock = new HeldClock();
  const target = document.getElementById('app');
  if (!target) throw new Error('The page has no place for the application.');
  document.documentElement.lang = speech.language;
  let application: ReturnType<typeof mount> | undefined;
  const play = (parameters: URLSearchParams) => {
    const scenario = scenarioFrom(parameters);
    if (scenario.moving) startClock();
    else clock.hold();
    clock.set(moment);
    crossed = new CrossedData();
    for (const { language } of catalogues.values()) crossed.keep(language.name);
    const bridge = crossed.listen(fakeBridge(scenario, (now) => clock.set(now)));
    Object.defineProperty(window, 'tilelift', { value: bridge, configurable: true });
    Object.defineProperty(navigator, 'onLine', { value: scenario.online, configurable: true });
    application = mount(App, { target, props: { bridge } });
  };
  Object.assign(window, {
    /** Removes the application from the page. */
    clear: () => application && unmount(application),
    /** Shows another scenario in the cleared page. */
    play: (scenario: string) => play(new URLSearchParams({ scenario })),
  });
  play(query);
}
