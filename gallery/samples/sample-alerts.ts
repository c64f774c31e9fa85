import type { AlertsView, ErrorRecord } from '../../preload/contract.ts';
import { moment } from './moment.ts';

export const noAlertWays: AlertsView = {
  ...{ mail: null, webhook: null, heartbeat: null, waiting: 0 },
  last: { mail: null, webhook: null, heartbeat: null },
};

const refusedError: ErrorRecord = {
  code: 'mail-login-refused',
  subject: 'mail.office.example:465',
  retryable: true,
  remote: { status: 535, message: '535 5.7.8 Authentication credentials invalid' },
};

/** All channels in use; the mail server refused the last message. */
export const alertWays: AlertsView = {
  mail: {
    ...{ host: 'mail.office.example', port: 465, security: 'tls', user: 'tilelift' },
    ...{ from: 'tilelift@office.example', to: ['gis@office.example'], hasPassword: true },
  },
  webhook: { address: 'https://hooks.office.example/tilelift', hasKey: true },
  heartbeat: { file: '/srv/monitoring/tilelift-heartbeat.json', minutes: 5 },
  waiting: 1,
  last: {
    mail: { at: moment - 120_000, error: refusedError },
    webhook: { at: moment - 3_600_000, error: null },
    heartbeat: { at: moment - 60_000, error: null },
  },
};
