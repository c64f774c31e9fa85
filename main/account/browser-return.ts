import type { Log } from '../log.ts';
import {
  type CallbackReceiver,
  loopbackPort,
  type OnCallback,
  type OpenCallbackReceiver,
} from './loopback-receiver.ts';

/** The one place on this computer that the browser of a pending sign-in returns to. */
interface BrowserReturn {
  /**
   * Opens one in place of the one from before. Gives its redirect address; undefined where the browser
   * returns by our scheme, or nothing can listen here.
   */
  open(): Promise<string | undefined>;
  /** After a restart: listens where the browser was told to return to. Rejects never. */
  openAgain(redirectUri: string): Promise<void>;
  close(): void;
}

export function createBrowserReturn(
  openReceiver: OpenCallbackReceiver,
  onCallback: OnCallback,
  log: Log,
): BrowserReturn {
  let receiver: CallbackReceiver | null = null;
  let round = 0;

  function close(): void {
    round += 1;
    receiver?.close();
    receiver = null;
  }

  async function open(port?: number): Promise<string | undefined> {
    close();
    const own = round;
    try {
      const opened = await openReceiver(onCallback, port);
      if (own === round) receiver = opened;
      else opened?.close();
    } catch (cause) {
      log.warn({ cause }, 'Nothing can listen for the browser on this computer.');
    }
    return receiver?.redirectUri;
  }

  return {
    open: () => open(),
    openAgain: async (redirectUri) => {
      const port = loopbackPort(redirectUri);
      if (port !== null) await open(port);
    },
    close,
  };
}
