import type {
  ErrorRecord,
  JobView,
  NamedAccountView,
  SignedInView,
  SignedOutView,
} from '../../preload/contract.ts';
import { hasEnded } from '../../shared/job-status.ts';
import { say } from '../say.ts';

interface AccountFact {
  readonly name: string;
  readonly value: string;
}

export function accountFacts(account: SignedInView | SignedOutView): readonly AccountFact[] {
  const { name, service } = account;
  return [
    ...(name === service.name ? [] : [{ name: say('welcome.service'), value: service.name }]),
    { name: say('account.apiAddress'), value: service.baseUrl },
    { name: say('account.signInAddress'), value: service.authUrl },
    ...(service.clientId === undefined ? [] : [{ name: say('account.clientId'), value: service.clientId }]),
    ...('signedInBy' in account && account.signedInBy === 'access-token'
      ? [{ name: say('account.signedInWith'), value: say('account.byToken') }]
      : []),
  ];
}

/** Accounts to choose for a rule, including its own if that is signed out. */
export function accountOptions(
  account: { readonly accounts: readonly SignedInView[]; nameOf(accountId: string): string | null },
  ownId: string,
): readonly { readonly value: string; readonly label: string }[] {
  const options = account.accounts.map(({ id, name }) => ({ value: id, label: name }));
  if (options.some(({ value }) => value === ownId)) return options;
  const label = say('watchEditor.more.signedOut', { account: account.nameOf(ownId) ?? ownId });
  return [...options, { value: ownId, label }];
}

export function initials(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toLocaleUpperCase();
}

/** Null if the name is free, else the problem. */
export function accountNameProblem(
  enteredAddress: string,
  { id }: NamedAccountView,
  accounts: readonly NamedAccountView[],
): string | null {
  const name = enteredAddress.trim().toLocaleLowerCase();
  const isTaken = accounts.some((account) => account.id !== id && account.name.toLocaleLowerCase() === name);
  return isTaken ? say('account.rename.taken') : null;
}

/** Null for a valid client id, else the problem. Main validates again. */
export function clientIdProblem(text: string): string | null {
  const id = text.trim();
  if (id === '' || /^\d+$/.test(id) || (/^https?:\/\//.test(id) && URL.canParse(id))) return null;
  return say('account.problem.clientId');
}

/** True if the job waits because the service doesn't answer. */
export function isUnreachable({ status, error }: Pick<JobView, 'status' | 'error'>): boolean {
  return !hasEnded(status) && isSilence(error);
}

const silences = new Set([
  'service-unreachable',
  'service-unavailable',
  'foreign-answer',
  'proxy-unreachable',
]);

/** Whether the service doesn't answer, or something else does. */
export function isSilence(error: Pick<ErrorRecord, 'code'> | null): boolean {
  return error !== null && silences.has(error.code);
}
