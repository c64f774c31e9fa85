export type Screen = 'uploads' | 'watch' | 'assets' | 'settings';

const screens: readonly Screen[] = ['uploads', 'watch', 'assets', 'settings'];
const key = 'screen-to-come-back-to';

/** Remembers the screen for a reload, for example after a language change. */
export function comeBackTo(screen: Screen): void {
  sessionStorage.setItem(key, screen);
}

export function firstScreen(): Screen {
  const storedScreen = screens.find((screen) => screen === sessionStorage.getItem(key));
  sessionStorage.removeItem(key);
  return storedScreen ?? 'uploads';
}
