import { expect, it } from 'vitest';
import type { Api } from '../../../../renderer/api.ts';
import { NetworkState } from '../../../../renderer/state/network.svelte.ts';

/** A network that the test disconnects and reconnects. */
function playLine() {
  const listeners = new Set<() => void>();
  let up = true;
  return {
    isUp: () => up,
    onChange: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    become: (isUp: boolean) => {
      up = isUp;
      for (const listener of listeners) listener();
    },
  };
}

const api = {
  on: () => () => {},
  call: async () => ({ caFile: null, proxyAsks: null, plainStorage: [] }),
} as unknown as Api;

it('NetworkState announces once that the network is gone and once that it is back', () => {
  const line = playLine();
  const network = new NetworkState(api, line);
  network.start(() => {});
  expect([network.isOnline, network.announcement]).toEqual([true, '']);
  line.become(false);
  expect(network.isOnline).toBe(false);
  expect(network.announcement).toMatch(/No network/);
  network.announcement = '';
  line.become(false);
  expect(network.announcement).toBe('');
  line.become(true);
  expect(network.isOnline).toBe(true);
  expect(network.announcement).toMatch(/back/);
});

it('NetworkState starts offline silently', () => {
  const line = playLine();
  line.become(false);
  const network = new NetworkState(api, line);
  expect([network.isOnline, network.announcement]).toEqual([false, '']);
});

it('NetworkState ignores events once stopped', () => {
  const line = playLine();
  const network = new NetworkState(api, line);
  network.start(() => {})();
  line.become(false);
  expect(network.isOnline).toBe(true);
});
