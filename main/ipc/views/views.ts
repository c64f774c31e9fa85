import type {
  AccountView,
  JobView,
  NewAssetInput,
  PolicyView,
  ServiceView,
  SignedInView,
  SignedOutView,
} from '../../../preload/contract.ts';
import { accountTitle } from '../../../shared/accounts.ts';
import { creationOptions } from '../../../shared/creation-options.ts';
import { maxShownPaths } from '../../../shared/job.ts';
import type { AccountService } from '../../account/model/model.ts';
import type { JobSnapshot } from '../../jobs/model.ts';
import { type PolicyState, policyIn } from '../../policy/policy.ts';
import type { CreationBody, ServiceAddress } from '../../service/model.ts';

/** Uses the known name of the service, else its host. */
export function serviceView(address: ServiceAddress, knownServices: readonly ServiceView[]): ServiceView {
  const match = knownServices.find((service) => service.baseUrl === address.baseUrl);
  return {
    name: match?.name ?? new URL(address.baseUrl).host,
    baseUrl: address.baseUrl,
    authUrl: address.authUrl,
    ...(match?.clientId === undefined ? {} : { clientId: match.clientId }),
  };
}

/** The page's view of accounts, without the sign-in link, which carries the state. */
export function accountView(
  accounts: Pick<AccountService, 'state' | 'accounts' | 'signedOutAccounts'>,
  knownServices: readonly ServiceView[],
): AccountView {
  const state = accounts.state();
  const signedInViews = accounts.accounts().map((account): SignedInView => {
    const { id, address, signedInBy, endsSoonAt } = account;
    const service = serviceView(address, knownServices);
    return { id, name: accountTitle(account, service.name), service, signedInBy, endsSoonAt };
  });
  const signedOutViews = accounts.signedOutAccounts().flatMap((account): readonly SignedOutView[] => {
    const service = knownServices.find(({ baseUrl }) => baseUrl === account.baseUrl);
    // A policy may have removed the service.
    if (!service) return [];
    return [{ id: account.id, name: accountTitle(account, service.name), service, isLost: account.isLost }];
  });
  switch (state.kind) {
    case 'signed-out':
      return { ...state, signedOut: signedOutViews };
    case 'signed-in':
      return {
        kind: state.kind,
        id: state.account.id,
        service: serviceView(state.account.address, knownServices),
        error: state.error ?? null,
        accounts: signedInViews,
        signedOut: signedOutViews,
      };
    default: {
      const { kind, address, accountId } = state;
      const accountViews = [...signedInViews, ...signedOutViews];
      const serviceFields = {
        service: serviceView(address, knownServices),
        account: accountViews.find(({ id }) => id === accountId)?.name ?? null,
        beside: signedInViews
          .filter(({ id, service }) => id !== accountId && service.baseUrl === address.baseUrl)
          .map(({ name }) => name),
        signedOut: signedOutViews,
      };
      return kind === 'waiting-for-browser'
        ? {
            kind,
            returnsByScheme: state.returnsByScheme,
            endsAt: state.endsAt,
            error: state.error,
            ...serviceFields,
          }
        : { kind, ...serviceFields };
    }
  }
}

/** The administrator's settings for the page; null for none. */
export function policyView(state: PolicyState): PolicyView | null {
  if (state.kind !== 'in-force') return null;
  const { services, proxy, caFile, updates, storage, plainServices, watch, watchRules } = policyIn(state);
  return {
    path: state.path,
    services: services?.offered ?? null,
    onlyThose: services?.only ?? false,
    proxy: proxy ?? null,
    caFile: caFile ?? null,
    plainStorage: storage?.plainHttp ?? null,
    plainServices: plainServices?.allowed ?? null,
    updates: updates ? { allowed: updates.allowed, channel: updates.channel ?? null } : null,
    watchRoots: watch?.roots ?? null,
    watchRules: Array.isArray(watchRules) ? watchRules.length : null,
  };
}

/** Builds the body of the contract (2.2) without empty fields. */
export function creationBody(input: NewAssetInput): CreationBody {
  return {
    name: input.name.trim(),
    ...(input.description ? { description: input.description } : {}),
    type: input.assetType,
    options: creationOptions(input),
  };
}

/** Limits a job's paths for the page. */
export function jobForPage(job: JobSnapshot): JobView {
  const hiddenCount = job.paths.length - maxShownPaths;
  return hiddenCount > 0 ? { ...job, paths: job.paths.slice(0, maxShownPaths), morePaths: hiddenCount } : job;
}
