import { expect, it, vi } from 'vitest';
import type { DesktopAskView } from '../../../../preload/contract.ts';
import type { Api } from '../../../../renderer/api.ts';
import { followDesktop } from '../../../../renderer/state/desktop-asks.ts';

function page(...earlierAsks: DesktopAskView[]) {
  const waitingAsks = [...earlierAsks];
  const listeners = new Set<() => void>();
  const api = {
    call: async () => waitingAsks.splice(0),
    on: (_name: string, listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } as unknown as Api;
  const performAsk = vi.fn();
  const stop = followDesktop(api, (ask) => performAsk(ask), vi.fn());
  return {
    done: performAsk,
    stop,
    ask: (desktopAsk: DesktopAskView) => {
      waitingAsks.push(desktopAsk);
      for (const listener of listeners) listener();
    },
  };
}

const sentAsk: DesktopAskView = { kind: 'source', paths: ['/data/flight'] };
const chosenAsk: DesktopAskView = { kind: 'menu', command: 'assets' };

it('desktop requests reach the page even if they came before it', async () => {
  const { done: performAsk } = page(sentAsk, chosenAsk);
  await vi.waitFor(() => expect(performAsk.mock.calls).toEqual([[sentAsk], [chosenAsk]]));
});

it('desktop requests run once as they arrive, until the page stops', async () => {
  const { done: performAsk, ask, stop } = page();
  ask(sentAsk);
  await vi.waitFor(() => expect(performAsk.mock.calls).toEqual([[sentAsk]]));
  stop();
  ask(chosenAsk);
  await Promise.resolve();
  expect(performAsk).toHaveBeenCalledOnce();
});
