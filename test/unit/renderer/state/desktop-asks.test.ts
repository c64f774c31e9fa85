import { describe, expect, it, vi } from 'vitest';
import type { DesktopAskView } from '../../../../preload/contract.ts';
import type { Api } from '../../../../renderer/api.ts';
import { followDesktop } from '../../../../renderer/state/desktop-asks.ts';

function page(...earlierAsks: DesktopAskView[]) {
  const waiting = [...earlierAsks];
  const listeners = new Set<() => void>();
  const api = {
    call: async () => waiting.splice(0),
    on: (_name: string, listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as Api;
  const done = vi.fn();
  const stop = followDesktop(api, (ask) => done(ask), vi.fn());
  return {
    done,
    stop,
    ask: (what: DesktopAskView) => {
      waiting.push(what);
      for (const listener of listeners) listener();
    },
  };
}

const sentAsk: DesktopAskView = { kind: 'source', paths: ['/data/flight'] };
const chosen: DesktopAskView = { kind: 'menu', command: 'assets' };

describe('desktop requests', () => {
  it('desktop requests reach the page even if they came before it', async () => {
    const { done } = page(sentAsk, chosen);
    await vi.waitFor(() => expect(done.mock.calls).toEqual([[sentAsk], [chosen]]));
  });

  it('desktop requests run once as they arrive, until the page stops', async () => {
    const { done, ask, stop } = page();
    ask(sentAsk);
    await vi.waitFor(() => expect(done.mock.calls).toEqual([[sentAsk]]));
    stop();
    ask(chosen);
    await Promise.resolve();
    expect(done).toHaveBeenCalledOnce();
  });
});
