/** The form for mail and webhook. It validates early; main validates again. */

import type { Calls, MailSettings } from '../../../../preload/contract.ts';
import { isMailAddress } from '../../../../shared/addresses.ts';
import { say } from '../../../say.ts';

export interface MailDraft {
  readonly host: string;
  readonly port: string;
  readonly security: 'tls' | 'starttls';
  readonly user: string;
  /** Empty: the stored password. */
  readonly password: string;
  readonly from: string;
  /** Comma-separated. */
  readonly to: string;
}

export const blankMail: MailDraft = {
  ...{ host: '', port: '465', security: 'tls' },
  ...{ user: '', password: '', from: '', to: '' },
};

export function mailDraftOf({ host, port, security, user, from, to }: MailSettings): MailDraft {
  return { ...{ host, port: String(port), security, user, from }, password: '', to: to.join(', ') };
}

export function mailOf(draft: MailDraft): Exclude<Calls['alerts.setMail']['input'], null> {
  const { security } = draft;
  return {
    mail: {
      security,
      host: draft.host.trim(),
      port: Number(draft.port),
      user: draft.user.trim(),
      from: draft.from.trim(),
      to: recipientsOf(draft.to),
    },
    password: draft.password === '' ? null : draft.password,
  };
}

interface MailProblem {
  readonly field: 'host' | 'port' | 'from' | 'to';
  readonly words: string;
}

/** The first problem, or null. */
export function mailProblem(draft: MailDraft): MailProblem | null {
  const of = (field: MailProblem['field']): MailProblem => ({
    field,
    words: say(`settings.alerts.problem.${field}`),
  });
  if (!/^[^\s/@]+$/.test(draft.host.trim())) return of('host');
  if (!/^\d{1,5}$/.test(draft.port.trim()) || Number(draft.port) < 1 || Number(draft.port) > 65_535)
    return of('port');
  if (!isMailAddress(draft.from.trim())) return of('from');
  const to = recipientsOf(draft.to);
  return to.length > 0 && to.length <= 20 && to.every(isMailAddress) ? null : of('to');
}

const recipientsOf = (text: string) => text.split(/[,;\s]+/).filter((address) => address !== '');
