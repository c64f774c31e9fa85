import { EventEmitter } from 'node:events';
import type { PowerMonitor } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import type { Tilelift } from '../../../main/app.ts';
import type { Work } from '../../../main/desktop/launch/work.ts';
import { needsAwake, setupKeepAwake, setupPower } from '../../../main/desktop/power.ts';
import { settingsInMemory } from '../account/stand-ins.ts';
import { job } from './stand-ins.ts';

function computer() {
  const power = new EventEmitter();
  const rescanAll = vi.fn();
  const onWake = vi.fn();
  const keepFresh = vi.fn();
  const quit = vi.fn();
  const renewConnections = vi.fn();
  const tilelift = {
    renewConnections,
    watch: { rescanAll },
    jobs: { wake: onWake },
    accounts: { accounts: () => [{ id: 'a' }, { id: 'b' }], keepFresh },
  } as unknown as Tilelift;
  setupPower(power as unknown as PowerMonitor, tilelift, quit);
  return { power, rescanAll, wake: onWake, keepFresh, quit, renewConnections };
}

it.each(['resume', 'unlock-screen'])('power events renew connections and rescan folders on %s', (event) => {
  const { power, rescanAll, wake: onWake, renewConnections } = computer();
  power.emit(event);
  expect(renewConnections).toHaveBeenCalledOnce();
  expect(rescanAll).toHaveBeenCalledExactlyOnceWith('after sleep');
  expect(onWake.mock.calls).toEqual([['a'], ['b']]);
});

it('power events renew sign-ins after a sleep, which stopped their timers', () => {
  const { power, keepFresh } = computer();
  power.emit('resume');
  expect(keepFresh).toHaveBeenCalledOnce();
});

it('power events delay a shutdown until Tilelift has quit', () => {
  const { power, quit } = computer();
  const event = { preventDefault: vi.fn() };
  power.emit('shutdown', event);
  expect(event.preventDefault).toHaveBeenCalledOnce();
  expect(quit).toHaveBeenCalledOnce();
});

it.each(['creating', 'uploading', 'completing'] as const)('needsAwake() is true while %s', (status) => {
  expect(needsAwake({ jobs: [job({ status })] }, true)).toBe(true);
});

it('needsAwake() is true while an upload waits for the network', () => {
  expect(needsAwake({ jobs: [job({ waitingFor: 'network' })] }, true)).toBe(true);
});

it.each([
  { status: 'tiling' },
  { status: 'paused' },
  { status: 'complete' },
  { status: 'uploading', waitingFor: 'sign-in' },
  { status: 'creating', waitingFor: 'confirmation' },
  { status: 'uploading', waitingFor: 'turn' },
] as const)('needsAwake() is false for %o', (facts) =>
  expect(needsAwake({ jobs: [job(facts)] }, true)).toBe(false),
);

it('needsAwake() is false when the user disabled it', () =>
  expect(needsAwake({ jobs: [job()] }, false)).toBe(false));

describe('the power save blocker', () => {
  /** Stand-in for Electron's powerSaveBlocker. */
  function system() {
    const heldIds = new Set<number>();
    let number = 0;
    return {
      held: heldIds,
      start: () => {
        number += 1;
        heldIds.add(number);
        return number;
      },
      stop: (id: number) => heldIds.delete(id),
    };
  }

  function beginBlocker() {
    const blocker = system();
    const settings = settingsInMemory();
    let work: Work = { jobs: [], rules: [] };
    let tell: (work: Work) => void = () => {};
    const update = setupKeepAwake(
      { current: () => work, onChange: (listener) => (tell = listener) },
      settings,
      blocker,
    );
    const become = (jobs: Work['jobs']) => {
      work = { jobs, rules: [] };
      tell(work);
    };
    return { blocker, settings, look: update, become };
  }

  it('the power save blocker starts once while jobs upload and stops with the last', () => {
    const { blocker, become } = beginBlocker();
    become([job()]);
    become([job(), job()]);
    expect(blocker.held.size).toBe(1);
    become([job({ status: 'tiling' })]);
    expect(blocker.held.size).toBe(0);
    become([job()]);
    expect(blocker.held.size).toBe(1);
  });

  it('the power save blocker stops when the user switches it off', () => {
    const { blocker, settings, look: update, become } = beginBlocker();
    become([job()]);
    settings.update({ background: { ...settings.get().background, keepAwake: false } });
    update();
    expect(blocker.held.size).toBe(0);
  });
});
