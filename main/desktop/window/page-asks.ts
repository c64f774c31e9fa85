import type { DesktopAskView } from '../../../preload/contract.ts';
import type { MainWindow } from './main-window.ts';

/** Requests wait for a page, so that a closed window or a sign-in loses none. */
export interface PageAsks {
  /** Keeps the newest of a kind; merges sources. */
  ask(request: DesktopAskView): void;
  /** Oldest first. */
  takeAll(): readonly DesktopAskView[];
}

export function createPageAsks(window: Pick<MainWindow, 'show' | 'send'>): PageAsks {
  const pendingRequests = new Map<DesktopAskView['kind'], DesktopAskView>();
  return {
    ask: (request) => {
      pendingRequests.set(request.kind, mergeRequests(pendingRequests.get(request.kind), request));
      window.show();
      window.send('desktop.asked', null);
    },
    takeAll: () => {
      const requests = [...pendingRequests.values()];
      pendingRequests.clear();
      return requests;
    },
  };
}

function mergeRequests(previous: DesktopAskView | undefined, request: DesktopAskView): DesktopAskView {
  if (previous?.kind !== 'source' || request.kind !== 'source') return request;
  return { kind: 'source', paths: [...new Set([...previous.paths, ...request.paths])] };
}
