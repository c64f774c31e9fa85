/** Help pages in the order of their list. */
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

/** State of the help, the list of shortcuts and the command palette. */
export class GuideState {
  /** The open page; null while the help is closed. */
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
