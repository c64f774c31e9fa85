import { errorMessage, say, sayPhrase } from '../say.ts';

import { batchPhrase, readable } from '../watch/model/source-names.ts';
import type { AlertMessage, AlertWhat } from './alert-model.ts';

/** The texts of alerts in the current language. */

const maxNameLength = 300;

export function alertSentence(alert: AlertWhat): string {
  const rule = removeMarkup(alert.ruleName);
  switch (alert.kind) {
    case 'failed':
      return say('alerts.failed', {
        rule,
        source: sourceOf(alert.source),
        why: alert.error ? errorMessage(alert.error) : say('sources.why.givenUp'),
      });
    case 'waiting':
      return say('alerts.waiting', { rule, source: sourceOf(alert.source), hours: alert.hours });
    case 'silent':
      return say('alerts.silent', { rule, days: alert.days });
    case 'signed-out':
      return say('alerts.signedOut', { rule });
  }
}

export interface AlertMail {
  readonly subject: string;
  readonly text: string;
}

/** `computer`: the name that identifies it. */
export function letterOf({ told: events, more: furtherCount }: AlertMessage, computer: string): AlertMail {
  const lines = events.map(({ what: alert }) => `• ${alertSentence(alert)}`);
  if (furtherCount > 0) lines.push(say('alerts.more', { count: furtherCount }));
  return {
    subject: say('alerts.subject', { count: events.length + furtherCount, computer }),
    text: `${lines.join('\n')}\n\n${say('alerts.footer', { computer })}\n`,
  };
}

export function testLetter(computer: string): AlertMail {
  return {
    subject: say('alerts.testSubject', { computer }),
    text: `${say('alerts.testText', { computer })}\n`,
  };
}

const sourceOf = (path: string) =>
  path === '.' ? say('sources.theFolder') : sayPhrase(batchPhrase(path) ?? removeMarkup(path));

function removeMarkup(name: string): string {
  return readable(name.slice(0, maxNameLength));
}
