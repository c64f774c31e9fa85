/** The application on a bridge that is played: `?scenario=uploads/busy&theme=dark`. Scenarios are in `scenarios.ts`. */

import { fakeBridge } from './fake-bridge.ts';
import { HeldClock, startClock } from './moment.ts';
import { scenarioFrom } from './scenarios.ts';
import { settled } from './settled.ts';

const scenario = scenarioFrom(new URLSearchParams(location.search));
const clock = new HeldClock();
if (scenario.moving) startClock();
else clock.hold();
const bridge = fakeBridge(scenario, (now) => clock.set(now));
Object.defineProperty(window, 'tilelift', { value: bridge });
Object.defineProperty(window, 'settled', { value: settled });

await import('../main.ts');
