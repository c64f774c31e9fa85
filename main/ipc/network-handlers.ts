import { type BrowserWindow, dialog } from 'electron';
import { say } from '../../strings/say.ts';
import type { Tilelift } from '../app.ts';
import type { PolicyState } from '../policy/policy.ts';
import { refuseCaFile } from '../policy/refusals.ts';
import type { SettingsStore } from '../settings.ts';
import { readAuthorityFile } from '../upload/authority-file.ts';
import type { CallHandlers } from './bind.ts';

type NetworkCall = Extract<keyof CallHandlers, `network.${string}`>;

export interface NetworkParts {
  readonly tilelift: Tilelift;
  readonly settings: SettingsStore;
  readonly window: () => BrowserWindow | undefined;
  /** Called when another file of authorities is to be trusted. */
  readonly onCaFile: () => Promise<void>;
  readonly policy: PolicyState;
}

/** The calls about proxies and certificates. */
export function networkHandlers(parts: NetworkParts): Pick<CallHandlers, NetworkCall> {
  const { tilelift, settings } = parts;
  const refuseLocked = () => {
    const refusal = refuseCaFile(parts.policy);
    if (refusal) throw refusal;
  };
  const setCaFile = async (caFile: string | null) => {
    settings.update({ network: { ...settings.get().network, caFile } });
    await parts.onCaFile();
  };
  return {
    'network.state': async () => ({
      caFile: settings.get().network.caFile,
      proxyAsks: tilelift.proxies.question(),
    }),
    'network.answerProxy': async (login) => {
      tilelift.proxies.answer(login);
      return null;
    },
    'network.pickCaFile': async () => {
      refuseLocked();
      const window = parts.window();
      const options = {
        title: say('dialogs.certificateFile'),
        properties: ['openFile' as const],
        filters: [
          { name: say('dialogs.certificates'), extensions: ['pem', 'crt', 'cer'] },
          { name: say('dialogs.allFiles'), extensions: ['*'] },
        ],
      };
      const { filePaths } = window
        ? await dialog.showOpenDialog(window, options)
        : await dialog.showOpenDialog(options);
      const [chosen] = filePaths;
      if (chosen !== undefined) {
        readAuthorityFile(chosen);
        await setCaFile(chosen);
      }
      return settings.get().network.caFile;
    },
    'network.forgetCaFile': async () => {
      refuseLocked();
      await setCaFile(null);
      return null;
    },
  };
}
