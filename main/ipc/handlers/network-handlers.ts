import type { BrowserWindow } from 'electron';
import type { Tilelift } from '../../app.ts';
import { TileliftError } from '../../errors.ts';
import { plainStorage } from '../../policy/plain-storage.ts';
import { type PolicyState, policyIn } from '../../policy/policy.ts';
import { refuseCaFile } from '../../policy/refusals.ts';
import { say } from '../../say.ts';
import type { ServiceAddress } from '../../service/model.ts';
import { isPlainElsewhere } from '../../service/service-address.ts';
import type { SettingsStore } from '../../settings.ts';
import { readAuthorityFile } from '../../storage/authorities.ts';
import type { CallHandlers } from '../bind.ts';
import { askPerson, chooseToOpen } from '../dialogs.ts';

type NetworkCall = Extract<keyof CallHandlers, `network.${string}`>;

export interface NetworkParts {
  readonly tilelift: Tilelift;
  readonly settings: SettingsStore;
  readonly window: () => BrowserWindow | undefined;
  /** Called after the authority file has changed. */
  readonly onCaFile: () => Promise<void>;
  readonly policy: PolicyState;
}

/** Handlers for proxies and certificates. */
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
  const plainStorageRules = plainStorage(parts.policy, settings);
  const plainServices = () =>
    tilelift.accounts
      .accounts()
      .map(({ address }) => address.baseUrl)
      .filter((baseUrl) => plainStorageRules.isAllowed(baseUrl) === true);
  return {
    'network.state': async () => ({
      caFile: settings.get().network.caFile,
      proxyAsks: tilelift.proxies.question(),
      plainStorage: plainServices(),
    }),
    'network.allowPlainStorage': async ({ accountId, allowed: isAllowed }) => {
      const account = tilelift.accounts.accounts().find(({ id }) => id === accountId);
      if (!account) throw new TileliftError('not-signed-in', { subject: { key: 'general.theService' } });
      const { baseUrl } = account.address;
      const agreed = !isAllowed || (await askForPlain(baseUrl, parts));
      if (agreed) plainStorageRules.allow(baseUrl, isAllowed);
      return plainServices();
    },
    'network.answerProxy': async (login) => tilelift.proxies.answer(login),
    'network.pickCaFile': async () => {
      refuseLocked();
      const options = {
        title: say('dialogs.certificateFile'),
        properties: ['openFile' as const],
        filters: [
          { name: say('dialogs.certificates'), extensions: ['pem', 'crt', 'cer'] },
          { name: say('dialogs.allFiles'), extensions: ['*'] },
        ],
      };
      const [chosenFile] = await chooseToOpen(parts.window(), options);
      if (chosenFile !== undefined) {
        readAuthorityFile(chosenFile);
        await setCaFile(chosenFile);
      }
      return settings.get().network.caFile;
    },
    'network.forgetCaFile': async () => {
      refuseLocked();
      await setCaFile(null);
    },
  };
}

/** Asks in a system dialog, because a page must not enable unencrypted storage itself. */
function askForPlain(baseUrl: string, { window, policy }: NetworkParts): Promise<boolean> {
  // The policy already decides.
  if (policyIn(policy).storage) return Promise.resolve(true);
  return askPerson(window(), {
    message: say('dialogs.plainStorage', { service: new URL(baseUrl).host }),
    detail: say('dialogs.plainStorageDetail'),
    yes: say('dialogs.allowPlain'),
    no: say('dialogs.dontAllowPlain'),
  });
}

/** Asks before a service is used by http: shows both addresses. */
export function askForPlainService(
  { baseUrl, authUrl }: ServiceAddress,
  window: BrowserWindow | undefined,
): Promise<boolean> {
  const hosts = [...new Set([baseUrl, authUrl].filter(isPlainElsewhere).map((url) => new URL(url).host))];
  return askPerson(window, {
    message: say('dialogs.plainService', { services: hosts.join(', ') }),
    detail: say('dialogs.plainServiceDetail'),
    yes: say('dialogs.allowPlain'),
    no: say('dialogs.dontAllowPlain'),
  });
}
