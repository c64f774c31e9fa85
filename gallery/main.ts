/**
 * The application on a bridge that is played: `?scenario=uploads/busy&theme=dark&language=de`. Scenarios are
 * in `scenarios/`. `?components` shows the components alone.
 */

import { catalogues, sayPhrase, speak } from '../renderer/say.ts';
import { speechFromAddress } from '../strings/address.ts';
import { crowded } from './crowded.ts';
import { scrollsSideways, unreachable, windowScrolls } from './reach.ts';
import { HeldClock, startClock } from './samples/moment.ts';
import { settled } from './settled.ts';
import { CrossedData, cutOff, unsaid } from './unsaid.ts';

const query = new URLSearchParams(location.search);
// Before the scenarios are loaded: what main would say is said in them.
speak(speechFromAddress(catalogues, location.search));
// For whoever takes pictures of the gallery and checks it.
const crossed = new CrossedData();
for (const { language } of catalogues.values()) crossed.keep(language.name);
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
  const { fakeBridge } = await import('./bridge/fake-bridge.ts');
  const { scenarioFrom } = await import('./scenarios.ts');
  const scenario = scenarioFrom(query);
  const clock = new HeldClock();
  if (scenario.moving) startClock();
  else clock.hold();
  const bridge = crossed.listen(fakeBridge(scenario, (now) => clock.set(now)));
  Object.defineProperty(window, 'tilelift', { value: bridge });
  if (!scenario.online) Object.defineProperty(navigator, 'onLine', { value: false });
  await import('../renderer/main.ts');
}
