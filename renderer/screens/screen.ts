/** The places of the signed-in window. */
export type Screen = 'uploads' | 'watch' | 'assets' | 'settings';
