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
  readonly to: string;
}

export const blankMail: MailDraft = {
  ...{ host: '', port: '465', security: 'tls' },
  ...{ user: '', password: '', from: '', to: '' },
};

export function mailDraftOf({
  host,
  port,
  security,
  user,
  from: sender,
  to: recipients,
}: MailSettings): MailDraft {
  return {
    ...{ host, port: String(port), security, user, from: sender },
    password: '',
    to: recipients.join(', '),
  };
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

export function mailProblem(draft: MailDraft): MailProblem | null {
  const problemOf = (field: MailProblem['field']): MailProblem => ({
    field,
    words: say(`settings.alerts.problem.${field}`),
  });
  if (!/^[^\s/@]+$/.test(draft.host.trim())) return problemOf('host');
  if (!/^\d{1,5}$/.test(draft.port.trim()) || Number(draft.port) < 1 || Number(draft.port) > 65_535)
    return problemOf('port');
  if (!isMailAddress(draft.from.trim())) return problemOf('from');
  const recipients = recipientsOf(draft.to);
  return recipients.length > 0 && recipients.length <= 20 && recipients.every(isMailAddress)
    ? null
    : problemOf('to');
}

const recipientsOf = (text: string) => text.split(/[,;\s]+/).filter((address) => address !== '');
