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

  openHelp(page: PageName = 'first-upload'): void {
    this.page = page;
  }

  closeHelp(): void {
    this.page = null;
  }
}
