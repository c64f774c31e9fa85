import { describe, expect, it } from 'vitest';
import type { Api } from '../../../../renderer/api.ts';
import { NetworkState } from '../../../../renderer/state/network.svelte.ts';

/** A line that the test takes down and puts up again. */
function playLine() {
  const listeners = new Set<() => void>();
  let up = true;
  return {
    isUp: () => up,
    onChange: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    become: (next: boolean) => {
      up = next;
      for (const listener of listeners) listener();
    },
  };
}

const api = {
  on: () => () => {},
  call: async () => ({ caFile: null, proxyAsks: null, plainStorage: [] }),
} as unknown as Api;

describe('the network as the window knows it', () => {
  it('says once that it went and once that it came back', () => {
    const line = playLine();
    const network = new NetworkState(api, line);
    network.start(() => {});
    expect([network.online, network.announcement]).toEqual([true, '']);
    line.become(false);
    expect(network.online).toBe(false);
    expect(network.announcement).toMatch(/No network/);
    network.announcement = '';
    line.become(false);
    expect(network.announcement).toBe('');
    line.become(true);
    expect(network.online).toBe(true);
    expect(network.announcement).toMatch(/back/);
  });

  it('knows from the first moment that there is none, without a word', () => {
    const line = playLine();
    line.become(false);
    const network = new NetworkState(api, line);
    expect([network.online, network.announcement]).toEqual([false, '']);
  });

  it('hears nothing after it was stopped', () => {
    const line = playLine();
    const network = new NetworkState(api, line);
    network.start(() => {})();
    line.become(false);
    expect(network.online).toBe(true);
  });
});
