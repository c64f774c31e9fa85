/**
 * The application on a bridge that is played: `?scenario=uploads/busy&theme=dark&language=de`. Scenarios are in `scenarios/`. `?components` shows the
 * components alone.
 */

import { speechFromAddress } from '../strings/address.ts';
import { speak } from '../strings/say.ts';
import { scrollsSideways, unreachable, windowScrolls } from './reach.ts';
import { HeldClock, startClock } from './samples/moment.ts';
import { settled } from './settled.ts';

const query = new URLSearchParams(location.search);
// Before the scenarios are loaded: what main would say is said in them.
speak(speechFromAddress(location.search));
// For whoever takes pictures of the gallery and looks it through.
Object.assign(window, { settled, unreachable, scrollsSideways, windowScrolls });
if (query.has('components')) await import('./components/show.ts');
else {
  const { fakeBridge } = await import('./bridge/fake-bridge.ts');
  const { scenarioFrom } = await import('./scenarios.ts');
  const scenario = scenarioFrom(query);
  const clock = new HeldClock();
  if (scenario.moving) startClock();
  else clock.hold();
  const bridge = fakeBridge(scenario, (now) => clock.set(now));
  Object.defineProperty(window, 'tilelift', { value: bridge });
  if (!scenario.online) Object.defineProperty(navigator, 'onLine', { value: false });
  await import('../renderer/main.ts');
}
