/** The application on a bridge that is played: `?scenario=busy&theme=dark`. Scenarios are in `scenarios.ts`. `?components` shows the components alone. */

import { fakeBridge } from './fake-bridge.ts';
import { scenarioFrom } from './scenarios.ts';

const query = new URLSearchParams(location.search);
if (query.has('components')) await import('./components/show.ts');
else {
  const bridge = fakeBridge(scenarioFrom(query));
  Object.defineProperty(window, 'tilelift', { value: bridge });
  await import('../main.ts');
}
