/** The application on a bridge that is played: `?scenario=busy&theme=dark`. Scenarios are in `scenarios.ts`. */

import { fakeBridge } from './fake-bridge.ts';
import { scenarioFrom } from './scenarios.ts';

const bridge = fakeBridge(scenarioFrom(new URLSearchParams(location.search)));
Object.defineProperty(window, 'tilelift', { value: bridge });

await import('../main.ts');
