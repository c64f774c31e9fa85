import { expect, it } from 'vitest';
import { isPressed, keysOf, type PressedKeys, type Shortcut, shortcuts } from '../../../shared/shortcuts.ts';

const names = Object.keys(shortcuts) as Shortcut[];
const press = (key: string, part: Partial<PressedKeys> = {}): PressedKeys => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...part,
});

it('a shortcut is written like the system’s keyboard', () => {
  expect(keysOf('palette', false)).toEqual(['Ctrl', 'K']);
  expect(keysOf('palette', true)).toEqual(['⌘', 'K']);
  expect(keysOf('watch-folder', true)).toEqual(['⌘', '⇧', 'O']);
  expect(keysOf('zoom-in', false)).toEqual(['Ctrl', '+']);
  expect(keysOf('list-move', false)).toEqual(['Alt', '↑', '↓']);
  expect(keysOf('list-move', true)).toEqual(['⌥', '↑', '↓']);
});

it('a shortcut is unique', () => expect(new Set(Object.values(shortcuts)).size).toBe(names.length));

it('a shortcut uses Cmd on macOS, where Ctrl+K edits text, and Ctrl elsewhere', () => {
  expect(isPressed(press('k', { ctrlKey: true }), 'palette', false)).toBe(true);
  expect(isPressed(press('k', { ctrlKey: true }), 'palette', true)).toBe(false);
  expect(isPressed(press('k', { metaKey: true }), 'palette', true)).toBe(true);
  expect(isPressed(press('k', { ctrlKey: true, shiftKey: true }), 'palette', false)).toBe(false);
  expect(isPressed(press('k', { ctrlKey: true, altKey: true }), 'palette', false)).toBe(false);
});

it('a shortcut with a symbol accepts Shift if the keyboard needs it', () => {
  expect(isPressed(press('?', { shiftKey: true }), 'shortcuts', false)).toBe(true);
  expect(isPressed(press('?'), 'shortcuts', false)).toBe(true);
  expect(isPressed(press('?', { ctrlKey: true }), 'shortcuts', false)).toBe(false);
  expect(isPressed(press('F1'), 'help', false)).toBe(true);
});
