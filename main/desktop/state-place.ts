import { posix, win32 } from 'node:path';

export interface SystemPlaces {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's own folder. */
  readonly home: string;
}

/**
 * Where this system keeps what programs know of themselves on this computer, apart from the user's data, which backups and profiles carry: `$XDG_STATE_HOME` (XDG Base
 * Directory Specification), `%LOCALAPPDATA%`, `~/Library/Caches`. Null where there is none. Pure.
 */
export function statePlace({ platform, env, home }: SystemPlaces): string | null {
  switch (platform) {
    case 'win32':
      return rooted(win32, env.LOCALAPPDATA, 'Tilelift');
    case 'darwin':
      return rooted(posix, home, 'Library/Caches/Tilelift');
    default: {
      // By the specification a path that is not absolute counts for nothing.
      const state = env.XDG_STATE_HOME ?? '';
      return posix.isAbsolute(state)
        ? posix.join(state, 'tilelift')
        : rooted(posix, home, '.local/state/tilelift');
    }
  }
}

function rooted(path: typeof posix, root: string | undefined, below: string): string | null {
  return root !== undefined && path.isAbsolute(root) ? path.join(root, below) : null;
}
