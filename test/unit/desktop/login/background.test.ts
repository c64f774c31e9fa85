import { expect, it, vi } from 'vitest';
import type { Work } from '../../../../main/desktop/launch/work.ts';
import { createBackground } from '../../../../main/desktop/login/background.ts';
import type { LoginItem } from '../../../../main/desktop/login/login-item.ts';
import { withoutWindow } from '../../../../main/desktop/quit/stay.ts';
import { TileliftError } from '../../../../main/errors.ts';
import { backgroundSwitches } from '../../../../shared/background.ts';
import { settingsInMemory } from '../../account/stand-ins.ts';
import { job, watched } from '../stand-ins.ts';

function background({
  watching: isWatching = false,
  uploading: isUploading = false,
  refuses = false,
  available = true,
} = {}) {
  const settings = settingsInMemory();
  let isOn = false;
  const loginItem: LoginItem = {
    available,
    isOn: () => isOn,
    set: (isWanted) => {
      if (refuses) throw new TileliftError('login-item-unavailable');
      isOn = isWanted;
    },
  };
  const onSet = vi.fn();
  const work: Work = { jobs: isUploading ? [job()] : [], rules: isWatching ? [watched()] : [] };
  const made = createBackground({
    settings,
    loginItem,
    withoutWindow: (keepRunning) => withoutWindow('linux', keepRunning, work),
    onSet,
  });
  const { canStartAtLogin: _fixed, withoutWindow: _told, ...wantedSettings } = made.state();
  return { ...made, settings, wanted: wantedSettings, onSet };
}

it('background settings keep running for watched folders, stay awake and notify by default', () => {
  const usualSettings = { startAtLogin: false, canStartAtLogin: true, ...backgroundSwitches };
  const [offState, onState] = [
    { keepRunning: false, withoutWindow: 'quits' },
    { keepRunning: true, withoutWindow: 'stays' },
  ];
  expect(background().state()).toEqual({ ...usualSettings, ...offState });
  expect(background({ watching: true }).state()).toEqual({ ...usualSettings, ...onState });
});

it('background settings keep running for uploads unless the user wants to quit with the window', () => {
  const { state, set, wanted: wantedSettings } = background({ uploading: true });
  expect(state()).toMatchObject({ keepRunning: false, withoutWindow: 'stays-for-uploads' });
  set({ ...wantedSettings, keepRunning: true });
  set({ ...wantedSettings, keepRunning: false });
  expect(state()).toMatchObject({ keepRunning: false, withoutWindow: 'quits' });
});

it('background settings apply immediately', () => {
  const { set, onSet } = background();
  const wantedSettings = {
    startAtLogin: true,
    keepRunning: true,
    ...backgroundSwitches,
    keepAwake: false,
    notify: false,
  };
  expect(set(wantedSettings)).toEqual({ ...wantedSettings, canStartAtLogin: true, withoutWindow: 'stays' });
  expect(onSet).toHaveBeenCalledOnce();
});

it('background settings keep running by default until the user decides', () => {
  const { set, settings, wanted: wantedSettings } = background({ watching: true });
  set({ ...wantedSettings, notify: false });
  expect(settings.get().background.keepRunning).toBeNull();
  set({ ...wantedSettings, keepRunning: false });
  expect(settings.get().background.keepRunning).toBe(false);
  set({ ...wantedSettings, keepRunning: true });
  expect(settings.get().background.keepRunning).toBe(true);
});

it('background settings stay unchanged when the system refuses to start Tilelift at login', () => {
  const { set, state, wanted: wantedSettings } = background({ refuses: true });
  expect(() => set({ ...wantedSettings, startAtLogin: true, notify: false })).toThrow(
    expect.objectContaining({ code: 'login-item-unavailable' }),
  );
  expect(state()).toMatchObject({ startAtLogin: false, notify: true });
});

it('background settings never start at login when the system can’t', () => {
  expect(background({ available: false }).state()).toMatchObject({
    startAtLogin: false,
    canStartAtLogin: false,
  });
});
