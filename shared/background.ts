/**
 * Switches under *In the background* with their defaults. Storage, input, page and search follow from a row.
 * Its texts are `settings.background.NAME` and `NAMEDetail`, its synonyms `palette.synonyms.NAME`.
 */
export const backgroundSwitches = { keepAwake: true, notify: true, askBeforeQuit: true } as const;

export type BackgroundSwitch = keyof typeof backgroundSwitches;
export type BackgroundSwitches = Readonly<Record<BackgroundSwitch, boolean>>;
export const backgroundSwitchNames = Object.keys(backgroundSwitches) as readonly BackgroundSwitch[];

/** Effect of closing the window; `stays-for-uploads` quits after the last upload. */
export type WithoutWindow = 'stays' | 'stays-for-uploads' | 'quits';
