import type { AlertMessage } from '../../alerts/alert-model.ts';
import type { AlertService } from '../../alerts/alert-service.ts';
import { alertSentence } from '../../alerts/alert-words.ts';
import { errorWords, say } from '../../say.ts';

import type { SettingsStore } from '../../settings.ts';
import type { Notify } from './notify.ts';

/** Shows alerts and their failures on the desktop if notices are on. */
export function showAlerts(
  alerts: Pick<AlertService, 'onDesktop' | 'onTrouble'>,
  { settings, notify }: { readonly settings: SettingsStore; readonly notify: Notify },
): void {
  const isEnabled = () => settings.get().background.notify;
  alerts.onDesktop((message) => {
    const body = noticeBody(message);
    if (body !== '' && isEnabled()) notify({ title: say('alerts.noticeTitle'), body });
  });
  alerts.onTrouble((error) => {
    if (isEnabled()) notify({ title: say('alerts.notSent'), body: errorWords(error) });
  });
}

const maxLines = 3;

/** The summary of watched folders reports failures. Pure. */
export function noticeBody({ told: events, more: furtherCount }: AlertMessage): string {
  const newEvents = events.filter(({ what: alert }) => alert.kind !== 'failed');
  const lines = newEvents.slice(0, maxLines).map(({ what: alert }) => alertSentence(alert));
  const otherCount = newEvents.length - lines.length + (newEvents.length > 0 ? furtherCount : 0);
  return [...lines, ...(otherCount > 0 ? [say('alerts.more', { count: otherCount })] : [])].join('\n');
}
