import { type BrowserWindow, clipboard } from 'electron';
import type { AlertsView, MailSettings } from '../../../preload/contract.ts';
import { mailSettingsSchema, webhookSettingsSchema } from '../../../shared/schemas/alerts.ts';
import type { Tilelift } from '../../app.ts';
import { TileliftError } from '../../errors.ts';
import { say } from '../../say.ts';
import type { SettingsStore } from '../../settings.ts';
import type { CallHandlers } from '../bind.ts';
import { askPerson, chooseToSave } from '../dialogs.ts';

type AlertCall = Extract<keyof CallHandlers, `alerts.${string}`>;

export interface AlertHandlerParts {
  readonly tilelift: Tilelift;
  readonly settings: SettingsStore;
  readonly window: () => BrowserWindow | undefined;
}

/**
 * Handlers for alerts. Secrets never reach the page, and new destinations need consent in a system dialog.
 */
export function alertHandlers(parts: AlertHandlerParts): Pick<CallHandlers, AlertCall> {
  const { tilelift, settings, window } = parts;
  const { alerts, alertSecrets: secrets } = tilelift;
  const alertSettings = () => settings.get().alerts;
  const storeSettings = (change: Partial<ReturnType<typeof alertSettings>>) => {
    settings.update({ alerts: { ...alertSettings(), ...change } });
    alerts.settingsChanged();
  };
  const state = (): AlertsView => {
    const { mail, webhook, heartbeat } = alertSettings();
    return {
      mail: mail && { ...mail, hasPassword: secrets.mailPassword(mail) !== null },
      webhook: webhook && { ...webhook, hasKey: secrets.webhookKey(webhook) !== null },
      heartbeat,
      waiting: alerts.countWaiting(),
      last: alerts.lastOutcomes(),
    };
  };
  const askFor = async (place: string, previousPlace: string | null) => {
    if (place === previousPlace) return;
    const agreed = await askPerson(window(), {
      message: say('dialogs.alertPlace', { place }),
      detail: say('dialogs.alertPlaceDetail'),
      yes: say('dialogs.sendThere'),
      no: say('dialogs.dontSendThere'),
    });
    if (!agreed) throw new TileliftError('alert-place-refused', { subject: place });
  };
  return {
    'alerts.state': async () => state(),
    'alerts.setMail': async (input) => {
      if (input === null) {
        secrets.forgetMailPassword();
        storeSettings({ mail: null });
        return state();
      }
      const mail = mailSettingsSchema.parse(input.mail);
      const previousMail = alertSettings().mail;
      await askFor(mailPlace(mail), previousMail && mailPlace(previousMail));
      if (input.password !== null) secrets.keepMailPassword(mail, input.password);
      storeSettings({ mail });
      return state();
    },
    'alerts.setWebhook': async (address) => {
      if (address === null) {
        secrets.forgetWebhookKey();
        storeSettings({ webhook: null });
        return state();
      }
      const webhook = webhookSettingsSchema.parse({ address });
      await askFor(new URL(address).origin, originOf(alertSettings().webhook?.address));
      if (secrets.webhookKey(webhook) === null) secrets.makeWebhookKey(webhook);
      storeSettings({ webhook });
      return state();
    },
    'alerts.copyKey': async (isNew) => {
      const { webhook } = alertSettings();
      if (!webhook) throw new TileliftError('alerts-not-set');
      const key = isNew ? null : secrets.webhookKey(webhook);
      clipboard.writeText(key ?? secrets.makeWebhookKey(webhook));
      return state();
    },
    'alerts.test': (way) => alerts.test(way),
    'alerts.pickHeartbeat': async () => {
      const options = {
        title: say('dialogs.heartbeatFile'),
        defaultPath: alertSettings().heartbeat?.file ?? 'tilelift-heartbeat.json',
        filters: [{ name: 'JSON', extensions: ['json'] }],
      };
      const filePath = await chooseToSave(window(), options);
      if (filePath)
        storeSettings({
          heartbeat: { file: filePath, minutes: alertSettings().heartbeat?.minutes ?? defaultMinutes },
        });
      return state();
    },
    'alerts.setHeartbeat': async (minutes) => {
      const { heartbeat } = alertSettings();
      storeSettings({ heartbeat: minutes === null || !heartbeat ? null : { ...heartbeat, minutes } });
      return state();
    },
  };
}

const defaultMinutes = 5;

/** Everyone who sees an alert: server and recipients. */
const mailPlace = ({ host, port, to: recipients }: MailSettings) =>
  `${recipients.join(', ')} (${host}:${port})`;

function originOf(address: string | undefined): string | null {
  return address === undefined ? null : new URL(address).origin;
}
