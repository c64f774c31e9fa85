/**
 * Runs the application on a fake bridge: `?scenario=uploads/busy&theme=dark&language=de`. Scenarios are in
 * `scenarios/`. `?components` shows the components.
 */

import { catalogues, sayPhrase, speak } from '../renderer/say.ts';
import { speechFromAddress } from '../strings/address.ts';
import { overlappingTexts } from './crowded.ts';
import { scrollsSideways, unreachableControls, windowScrolls } from './reach.ts';
import { HeldClock, startClock } from './samples/moment.ts';
import { untilSettled } from './settled.ts';
import { CrossedData, cutOff, unsaidTexts } from './unsaid.ts';

const query = new URLSearchParams(location.search);
// Before scenarios are loaded: their texts from main need a language.
speak(speechFromAddress(catalogues, location.search));
// For tests and pictures of the gallery.
const crossedData = new CrossedData();
for (const { language } of catalogues.values()) crossedData.keep(language.name);
document.addEventListener('input', ({ target }) => {
  const isTyped = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  if (isTyped) crossedData.keep({ description: target.value });
});
Object.assign(window, {
  sayPhrase,
  settled: untilSettled,
  unreachable: unreachableControls,
  scrollsSideways,
  windowScrolls,
  crowded: overlappingTexts,
  cutOff,
  unsaid: () => unsaidTexts(crossedData),
  // The engine caches its compiled code from here.
  loadAxe: async () => void (await import('axe-core/axe.min.js')),
});
if (query.has('components')) await import('./components/show.ts');
else {
  const { fakeBridge } = await import('./bridge/fake-bridge.ts');
  const { scenarioFrom } = await import('./scenarios.ts');
  const scenario = scenarioFrom(query);
  const clock = new HeldClock();
  if (scenario.moving) startClock();
  else clock.holdTime();
  const bridge = crossedData.listen(fakeBridge(scenario, (nowMs) => clock.set(nowMs)));
  Object.defineProperty(window, 'tilelift', { value: bridge });
  if (!scenario.isOnline) Object.defineProperty(navigator, 'onLine', { value: false });
  await import('../renderer/main.ts');
}
