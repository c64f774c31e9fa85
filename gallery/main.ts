/**
 * Runs the application on a fake bridge: `?scenario=uploads/busy&theme=dark&language=de`. Scenarios are in
 * `scenarios/`. `?components` shows the components.
 */

import { catalogues, sayPhrase, speak } from '../renderer/say.ts';
import { speechFromAddress } from '../strings/address.ts';
import { clippedControls, overlappingTexts } from './crowded.ts';
import { scrollsSideways, unreachableControls, windowScrolls } from './reach.ts';
import { untilSettled } from './settled.ts';
import { CrossedData, cutOff, unsaidTexts } from './unsaid.ts';

const query = new URLSearchParams(location.search);
// Before scenarios are loaded: their texts from main need a language.
const speech = speechFromAddress(catalogues, location.search);
speak(speech);
document.documentElement.lang = speech.language;
// For tests and pictures of the gallery.
let crossedData = newCrossedData();
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
  clipped: clippedControls,
  cutOff,
  unsaid: () => unsaidTexts(crossedData),
  // The engine caches its compiled code from here.
  loadAxe: async () => void (await import('axe-core/axe.min.js')),
});
if (query.has('components')) await import('./components/show.ts');
else {
  const { leaveScenario, mountScenario } = await import('./mount-scenario.ts');
  const { scenarioFrom } = await import('./scenarios.ts');
  const show = (address: string) => {
    crossedData = newCrossedData();
    return mountScenario(scenarioFrom(new URLSearchParams(address)), (bridge) => crossedData.listen(bridge));
  };
  Object.assign(window, { leaveScenario, showScenario: show });
  await show(location.search);
}

function newCrossedData(): CrossedData {
  const data = new CrossedData();
  for (const { language } of catalogues.values()) data.keep(language.name);
  return data;
}
