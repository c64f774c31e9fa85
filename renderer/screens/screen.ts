/** The places of the signed-in window. */
export type Screen = 'uploads' | 'assets' | 'settings';
