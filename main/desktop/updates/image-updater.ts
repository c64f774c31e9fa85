import { AppImageUpdater } from 'electron-updater';
import type { AppAdapter } from 'electron-updater/out/AppAdapter.js';
import type { InstallOptions } from 'electron-updater/out/BaseUpdater.js';
import { replaceProgram } from './replace-program.ts';

/**
 * Updates an AppImage in its place, under the name that it has: menu entry, start at login and the
 * `tilelift:` scheme name that. The library would delete the old file first, copy the new one to where it was
 * and rename it by its version.
 */
export class ImageUpdater extends AppImageUpdater {
  readonly #image: string | null;
  readonly #start: (program: string) => void;

  /**
   * `image`: the AppImage that runs; null for another kind of installation. `start`: once this one has ended.
   */
  constructor(app: AppAdapter, image: string | null, start: (program: string) => void) {
    super(undefined, app);
    this.#image = image;
    this.#start = start;
  }

  /** Also to look from what is no AppImage. */
  override isUpdaterActive(): boolean {
    return true;
  }

  protected override doInstall({ isForceRunAfter }: InstallOptions): boolean {
    const downloaded = this.installerPath;
    if (downloaded === null || this.#image === null) return false;
    replaceProgram(this.#image, downloaded);
    if (isForceRunAfter) this.#start(this.#image);
    return true;
  }
}
