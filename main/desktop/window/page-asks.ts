import type { DesktopAskView } from '../../../preload/contract.ts';
import type { MainWindow } from './main-window.ts';

/**
 * What a person asks the desktop for and the page does. It waits until a page takes it, so that nothing is
 * lost to a closed window or a sign-in.
 */
export interface PageAsks {
  /**
   * Brings the window to the person. Of each kind the newest counts; sources that come together stay
   * together.
   */
  ask(what: DesktopAskView): void;
  /** Each once, the one asked first at the front. */
  take(): readonly DesktopAskView[];
}

export function createPageAsks(window: Pick<MainWindow, 'show' | 'send'>): PageAsks {
  const waiting = new Map<DesktopAskView['kind'], DesktopAskView>();
  return {
    ask: (what) => {
      waiting.set(what.kind, together(waiting.get(what.kind), what));
      window.show();
      window.send('desktop.asked', null);
    },
    take: () => {
      const taken = [...waiting.values()];
      waiting.clear();
      return taken;
    },
  };
}

function together(before: DesktopAskView | undefined, what: DesktopAskView): DesktopAskView {
  if (before?.kind !== 'source' || what.kind !== 'source') return what;
  return { kind: 'source', paths: [...new Set([...before.paths, ...what.paths])] };
}
