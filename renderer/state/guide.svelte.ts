import type { PageName } from '../screens/help/pages/pages.ts';

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
