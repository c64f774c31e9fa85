import { EventEmitter } from 'node:events';
import type { PowerMonitor } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import type { Tilelift } from '../../../main/app.ts';
import { setupPower } from '../../../main/desktop/power.ts';

function computer() {
  const power = new EventEmitter();
  const lookAgain = vi.fn();
  const wake = vi.fn();
  const keepFresh = vi.fn();
  const quit = vi.fn();
  const renewConnections = vi.fn();
  const tilelift = {
    renewConnections,
    watch: { lookAgain },
    jobs: { wake },
    accounts: { accounts: () => [{ id: 'a' }, { id: 'b' }], keepFresh },
  } as unknown as Tilelift;
  setupPower(power as unknown as PowerMonitor, tilelift, quit);
  return { power, lookAgain, wake, keepFresh, quit, renewConnections };
}

describe('a computer', () => {
  it.each(['resume', 'unlock-screen'])(
    'that is awake again (%s) makes new connections and has its folders looked through',
    (event) => {
      const { power, lookAgain, wake, renewConnections } = computer();
      power.emit(event);
      expect(renewConnections).toHaveBeenCalledOnce();
      expect(lookAgain).toHaveBeenCalledExactlyOnceWith('after sleep');
      expect(wake.mock.calls).toEqual([['a'], ['b']]);
    },
  );

  it('that is awake again renews sign-ins, whose timers stood still', () => {
    const { power, keepFresh } = computer();
    power.emit('resume');
    expect(keepFresh).toHaveBeenCalledOnce();
  });

  it('that shuts down waits until Tilelift has quit', () => {
    const { power, quit } = computer();
    const event = { preventDefault: vi.fn() };
    power.emit('shutdown', event);
    expect(event.preventDefault).toHaveBeenCalledOnce();
    expect(quit).toHaveBeenCalledOnce();
  });
});
