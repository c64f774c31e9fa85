import { errorMessage } from '../../strings/said-error.ts';
import { say } from '../../strings/say.ts';

import { batchName } from '../watch/words.ts';
import type { AlertMessage, AlertWhat } from './alert-model.ts';

/** What alerts say, in the language that is spoken now. */

/** Line breaks and control characters may stand in names, and would make a line say something else. */
const unreadable = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const longestName = 300;

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

const sourceOf = (path: string) => batchName(path) ?? (path === '.' ? say('sources.theFolder') : plain(path));

function plain(name: string): string {
  return name.slice(0, longestName).replaceAll(unreadable, '\ufffd');
}
