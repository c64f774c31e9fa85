import type { Log } from '../log.ts';
import {
  type CallbackReceiver,
  loopbackPort,
  type OnCallback,
  type OpenCallbackReceiver,
} from './loopback-receiver.ts';

/** At most one receiver is open. */
interface BrowserReturn {
  /**
   * Replaces the open receiver. Undefined if our scheme is used or listening fails. `avoidsScheme`: listens
   * even if our scheme is registered.
   */
  openReceiver(avoidsScheme: boolean): Promise<string | undefined>;
  /** Uses the same port after a restart; never rejects. */
  openAgain(redirectUri: string): Promise<void>;
  closeReceiver(): void;
}

const anyPort = 0;

export function createBrowserReturn(
  openReceiver: OpenCallbackReceiver,
  onCallback: OnCallback,
  log: Log,
): BrowserReturn {
  let receiver: CallbackReceiver | null = null;
  let round = 0;

  function closeReceiver(): void {
    round += 1;
    receiver?.dispose();
    receiver = null;
  }

  async function openAt(port?: number): Promise<string | undefined> {
    closeReceiver();
    const startRound = round;
    try {
      const opened = await openReceiver(onCallback, port);
      if (startRound === round) receiver = opened;
      else opened?.dispose();
    } catch (cause) {
      log.warn({ cause }, 'Nothing can listen for the browser on this computer.');
    }
    return receiver?.redirectUri;
  }

  return {
    openReceiver: (avoidsScheme) => openAt(avoidsScheme ? anyPort : undefined),
    openAgain: async (redirectUri) => {
      const port = loopbackPort(redirectUri);
      if (port !== null) await openAt(port);
    },
    closeReceiver,
  };
}
