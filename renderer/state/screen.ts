/** The places of the signed-in window. */
export type Screen = 'uploads' | 'watch' | 'assets' | 'settings';

const screens: readonly Screen[] = ['uploads', 'watch', 'assets', 'settings'];
const key = 'screen-to-come-back-to';

/** Before the page is drawn again, as in another language: the person finds the same screen again. */
export function comeBackTo(screen: Screen): void {
  sessionStorage.setItem(key, screen);
}

/** The screen that the page begins with. */
export function firstScreen(): Screen {
  const kept = screens.find((screen) => screen === sessionStorage.getItem(key));
  sessionStorage.removeItem(key);
  return kept ?? 'uploads';
}
