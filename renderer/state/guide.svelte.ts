/** The pages of the help, in the order in which they are listed. */
export const pageNames = [
  'first-upload',
  'kinds-of-data',
  'coordinate-systems',
  'credential-hour',
  'watched-folders',
  'accounts',
  'network',
  'errors',
  'check-data',
  'privacy',
] as const;
export type PageName = (typeof pageNames)[number];

/** What helps a person find the way: the help, the list of shortcuts, and the palette of everything. */
export class GuideState {
  /** The page that is shown; null while the help is closed. */
  page: PageName | null = $state(null);
  shortcuts = $state(false);
  palette = $state(false);

  openHelp(page: PageName = 'first-upload'): void {
    this.page = page;
  }

  closeHelp(): void {
    this.page = null;
  }
}
