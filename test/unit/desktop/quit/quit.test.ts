import { EventEmitter } from 'node:events';
import type { App } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { quitCleanly } from '../../../../main/desktop/quit/quit.ts';

function tilelift() {
  const stopping = Promise.withResolvers<boolean>();
  const order: string[] = [];
  const app = Object.assign(new EventEmitter(), {
    quit: vi.fn(() => order.push('quit')),
    releaseSingleInstanceLock: vi.fn(() => order.push('lock given back')),
  });
  const killAfter = vi.fn();
  const stop = vi.fn(() => stopping.promise);
  quitCleanly({ app: app as unknown as App, stop, kill: () => order.push('killed'), killAfter });
  const beforeQuit = () => {
    const event = { preventDefault: vi.fn() };
    app.emit('before-quit', event);
    return event.preventDefault.mock.calls.length > 0;
  };
  return { app, order, killAfter, stop, stopping, beforeQuit };
}

describe('quitting', () => {
  it('waits until everything is put down, once', async () => {
    const { order, killAfter, stop, stopping, beforeQuit } = tilelift();
    expect([beforeQuit(), beforeQuit()]).toEqual([true, true]);
    expect(killAfter).toHaveBeenCalledExactlyOnceWith(5_000);
    expect(stop).toHaveBeenCalledOnce();

    stopping.resolve(true);
    await vi.waitFor(() => expect(order).toEqual(['quit']));
    expect(beforeQuit()).toBe(false);
  });

  it.each(['says that something hangs', 'fails'])('ends the process where stopping %s', async (how) => {
    const { order, stopping, beforeQuit } = tilelift();
    beforeQuit();
    if (how === 'fails') stopping.reject(new Error('no journal'));
    else stopping.resolve(false);
    await vi.waitFor(() => expect(order).toEqual(['lock given back', 'killed']));
  });
});
