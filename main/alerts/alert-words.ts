import { errorMessage, say, sayPhrase } from '../say.ts';

import { batchPhrase, readable } from '../watch/words.ts';
import type { AlertMessage, AlertWhat } from './alert-model.ts';

/** What alerts say, in the language that is spoken now. */

const maxNameLength = 300;

export function alertSentence(what: AlertWhat): string {
  const rule = plain(what.ruleName);
  switch (what.kind) {
    case 'failed':
      return say('alerts.failed', {
        rule,
        source: sourceOf(what.source),
        why: what.error ? errorMessage(what.error) : say('sources.why.givenUp'),
      });
    case 'waiting':
      return say('alerts.waiting', { rule, source: sourceOf(what.source), hours: what.hours });
    case 'silent':
      return say('alerts.silent', { rule, days: what.days });
    case 'signed-out':
      return say('alerts.signedOut', { rule });
  }
}

export interface Letter {
  readonly subject: string;
  readonly text: string;
}

/** `computer`: its name, by which people tell several apart. */
export function letterOf({ told, more }: AlertMessage, computer: string): Letter {
  const lines = told.map(({ what }) => `• ${alertSentence(what)}`);
  if (more > 0) lines.push(say('alerts.more', { count: more }));
  return {
    subject: say('alerts.subject', { count: told.length + more, computer }),
    text: `${lines.join('\n')}\n\n${say('alerts.footer', { computer })}\n`,
  };
}

/** A message that only shows that messages arrive. */
export function testLetter(computer: string): Letter {
  return {
    subject: say('alerts.testSubject', { computer }),
    text: `${say('alerts.testText', { computer })}\n`,
  };
}

const sourceOf = (path: string) =>
  path === '.' ? say('sources.theFolder') : sayPhrase(batchPhrase(path) ?? plain(path));

function plain(name: string): string {
  return readable(name.slice(0, maxNameLength));
}
