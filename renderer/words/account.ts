import type { SignedInView } from '../../preload/contract.ts';
import { say } from '../say.ts';

interface AccountFact {
  readonly name: string;
  readonly value: string;
}

/** What Settings says of an account. */
export function accountFacts({ service, signedInBy }: SignedInView): readonly AccountFact[] {
  return [
    { name: say('account.apiAddress'), value: service.baseUrl },
    { name: say('account.signInAddress'), value: service.authUrl },
    ...(service.clientId === undefined ? [] : [{ name: say('account.clientId'), value: service.clientId }]),
    ...(signedInBy === 'access-token'
      ? [{ name: say('account.signedInWith'), value: say('account.byToken') }]
      : []),
  ];
}

/** Null when the client id can be used, else what is wrong with it. Main checks again. */
export function clientIdProblem(text: string): string | null {
  const id = text.trim();
  if (id === '' || /^\d+$/.test(id) || (/^https?:\/\//.test(id) && URL.canParse(id))) return null;
  return say('account.problem.clientId');
}
