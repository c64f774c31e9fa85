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

export class GuideState {
  page: PageName | null = $state(null);
  shortcuts = $state(false);
  palette = $state(false);
  /** Title of the settings' section to show next; empty for their beginning. */
  section: string | null = $state(null);

  openHelp(page: PageName = 'first-upload'): void {
    this.page = page;
  }

  openSettings(section = ''): void {
    this.section = section;
  }

  closeHelp(): void {
    this.page = null;
  }
}
