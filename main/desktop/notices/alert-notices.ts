import type { AlertMessage } from '../../alerts/alert-model.ts';
import type { AlertService } from '../../alerts/alert-service.ts';
import { alertSentence } from '../../alerts/alert-words.ts';
import { errorWords, say } from '../../say.ts';

import type { SettingsStore } from '../../settings.ts';
import type { Notify } from './notify.ts';

/** Shows alerts on the desktop, unless the person wants no notices, and tells when one could not be sent. */
export function showAlerts(
  alerts: Pick<AlertService, 'onDesktop' | 'onTrouble'>,
  { settings, notify }: { readonly settings: SettingsStore; readonly notify: Notify },
): void {
  const wants = () => settings.get().background.notify;
  alerts.onDesktop((message) => {
    const body = noticeBody(message);
    if (body !== '' && wants()) notify({ title: say('alerts.noticeTitle'), body });
  });
  alerts.onTrouble((error) => {
    if (wants()) notify({ title: say('alerts.notSent'), body: errorWords(error) });
  });
}

const maxLines = 3;

/** What has failed is not among it: the summary of what watched folders have done has told that. Pure. */
export function noticeBody({ told, more }: AlertMessage): string {
  const news = told.filter(({ what }) => what.kind !== 'failed');
  const lines = news.slice(0, maxLines).map(({ what }) => alertSentence(what));
  const others = news.length - lines.length + (news.length > 0 ? more : 0);
  return [...lines, ...(others > 0 ? [say('alerts.more', { count: others })] : [])].join('\n');
}
