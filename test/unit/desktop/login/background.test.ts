import { describe, expect, it, vi } from 'vitest';
import { createBackground } from '../../../../main/desktop/login/background.ts';
import type { LoginItem } from '../../../../main/desktop/login/login-item.ts';
import { TileliftError } from '../../../../main/errors.ts';
import { settingsInMemory } from '../../account/stand-ins.ts';

function background({ watching = false, refuses = false, available = true } = {}) {
  const settings = settingsInMemory();
  let on = false;
  const loginItem: LoginItem = {
    available,
    isOn: () => on,
    set: (wanted) => {
      if (refuses) throw new TileliftError('login-item-unavailable');
      on = wanted;
    },
  };
  const onSet = vi.fn();
  const made = createBackground({ settings, loginItem, staysByItself: () => watching, onSet });
  const { canStartAtLogin: _fixed, ...wanted } = made.state();
  return { ...made, settings, wanted, onSet };
}

describe('what Tilelift does while nobody looks', () => {
  it('at first keeps running while folders are watched, stays awake and tells', () => {
    const usual = {
      startAtLogin: false,
      canStartAtLogin: true,
      keepAwake: true,
      notify: true,
      askBeforeQuit: true,
    };
    expect(background().state()).toEqual({ ...usual, keepRunning: false });
    expect(background({ watching: true }).state()).toEqual({ ...usual, keepRunning: true });
  });

  it('is as it was set, at once', () => {
    const { set, onSet } = background();
    const wanted = {
      startAtLogin: true,
      keepRunning: true,
      keepAwake: false,
      notify: false,
      askBeforeQuit: false,
    };
    expect(set(wanted)).toEqual({ ...wanted, canStartAtLogin: true });
    expect(onSet).toHaveBeenCalledOnce();
  });

  it('leaves open whether it keeps running until the person says something else', () => {
    const { set, settings, wanted } = background({ watching: true });
    set({ ...wanted, notify: false });
    expect(settings.get().background.keepRunning).toBeNull();
    set({ ...wanted, keepRunning: false });
    expect(settings.get().background.keepRunning).toBe(false);
    set({ ...wanted, keepRunning: true });
    expect(settings.get().background.keepRunning).toBe(true);
  });

  it('stays as it was when the system does not let Tilelift start at login', () => {
    const { set, state, wanted } = background({ refuses: true });
    expect(() => set({ ...wanted, startAtLogin: true, notify: false })).toThrow(
      expect.objectContaining({ code: 'login-item-unavailable' }),
    );
    expect(state()).toMatchObject({ startAtLogin: false, notify: true });
  });

  it('never starts at login where that can’t be set', () => {
    expect(background({ available: false }).state()).toMatchObject({
      startAtLogin: false,
      canStartAtLogin: false,
    });
  });
});
