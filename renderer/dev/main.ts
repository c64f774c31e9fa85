/** The application on a bridge that is played: `?scenario=busy&theme=dark&language=de`. Scenarios are in `scenarios.ts`. */

import { speechFromAddress } from '../../strings/address.ts';
import { speak } from '../../strings/say.ts';

// Before the scenarios are loaded: what main would say is said in them.
speak(speechFromAddress(location.search));
const [{ fakeBridge }, { scenarioFrom }] = await Promise.all([
  import('./fake-bridge.ts'),
  import('./scenarios.ts'),
]);
const bridge = fakeBridge(scenarioFrom(new URLSearchParams(location.search)));
Object.defineProperty(window, 'tilelift', { value: bridge });

await import('../main.ts');
