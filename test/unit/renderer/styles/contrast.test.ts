import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const tokens = readFileSync(
  join(import.meta.dirname, '..', '..', '..', '..', 'renderer', 'styles', 'tokens.css'),
  'utf8',
);
const hex = '#[0-9a-f]{6}';
const colours = new Map(
  [...tokens.matchAll(new RegExp(`--color-([\\w-]+): light-dark\\((${hex}), (${hex})\\)`, 'g'))].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }],
  ),
);

/** Relative luminance of sRGB, 0 to 1 (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.040_45 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(firstColour: string, secondColour: string): number {
  const [light = 0, dark = 0] = [luminance(firstColour), luminance(secondColour)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function contrastBetween(front: string, background: string, theme: 'light' | 'dark'): number {
  const [ink, paper] = [colours.get(front), colours.get(background)];
  if (!ink || !paper) throw new Error(`there is no ${ink ? background : front} among the tokens`);
  return contrast(ink[theme], paper[theme]);
}

const inks = ['ink-1', 'ink-2', 'ink-3'];
const tones = ['accent', 'tiling', 'complete', 'waiting', 'error'];
const grounds = ['ground', 'panel', 'rail', 'rail-active', 'field'];

/** Text colours and their backgrounds. */
const texts: readonly (readonly [string, string])[] = [
  ...[...inks, ...tones].flatMap((ink) => grounds.map((background) => [ink, background] as const)),
  ...['ink-1', 'ink-2'].map((ink) => [ink, 'hover'] as const),
  ...tones.map((tone) => [tone, `${tone}-soft`] as const),
  ['ink-1', 'accent-soft'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-strong'],
  ['on-error', 'error'],
];

/** Colours of controls, focus and progress with their backgrounds. */
const shapes: readonly (readonly [string, string])[] = [
  ...['panel', 'ground', 'rail'].flatMap((background) => [
    ['edge', background] as const,
    ['accent', background] as const,
  ]),
  ...tones.map((tone) => [tone, 'track'] as const),
];

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  it.each(texts)('contrasts %s on %s by 4.5', (ink, background) => {
    expect(contrastBetween(ink, background, theme)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(shapes)('contrasts %s on %s by 3', (shape, background) => {
    expect(contrastBetween(shape, background, theme)).toBeGreaterThanOrEqual(3);
  });
});
