import { beforeEach, expect, it, vi } from 'vitest';
import { createAlertSecrets } from '../../../../main/alerts/alert-secrets.ts';
import type { AlertHandlerParts } from '../../../../main/ipc/handlers/alert-handlers.ts';
import { memoryVault, settingsInMemory } from '../../account/stand-ins.ts';

const dialog = vi.hoisted(() => ({ showSaveDialog: vi.fn(), showMessageBox: vi.fn() }));
const clipboard = vi.hoisted(() => ({ writeText: vi.fn() }));
vi.mock('electron', () => ({ dialog, clipboard }));
const { alertHandlers } = await import('../../../../main/ipc/handlers/alert-handlers.ts');

const [agree, refuse] = [{ response: 0 }, { response: 1 }];
beforeEach(() => vi.resetAllMocks());

const mail = {
  ...{ host: 'mail.office.example', port: 465, security: 'tls' as const, user: 'me' },
  ...{ from: 'a@office.example', to: ['b@office.example'] },
};

function setUp() {
  const settings = settingsInMemory();
  const vault = memoryVault();
  const secrets = createAlertSecrets(vault);
  const alerts = {
    countWaiting: () => 0,
    lastOutcomes: () => ({ mail: null, webhook: null, heartbeat: null }),
    settingsChanged: () => {},
  };
  const parts = { settings, tilelift: { alerts, alertSecrets: secrets }, window: () => undefined };
  return { settings, secrets, calls: alertHandlers(parts as unknown as AlertHandlerParts) };
}

it('S108: alert recipients need consent in a system dialog, which no page can answer', async () => {
  const { settings, calls } = setUp();
  dialog.showMessageBox.mockResolvedValue(refuse);
  await expect(calls['alerts.setMail']({ mail, password: 'secret' })).rejects.toThrow();
  await expect(calls['alerts.setWebhook']('https://evil.example/')).rejects.toThrow();
  expect(settings.get().alerts).toMatchObject({ mail: null, webhook: null });
  dialog.showMessageBox.mockResolvedValue(agree);
  await calls['alerts.setMail']({ mail, password: 'secret' });
  expect(settings.get().alerts.mail).toEqual(mail);
});

it('alert recipients need new consent for another server or recipient, but not for another sender', async () => {
  const { calls } = setUp();
  dialog.showMessageBox.mockResolvedValue(agree);
  await calls['alerts.setMail']({ mail, password: 'secret' });
  await calls['alerts.setMail']({ mail: { ...mail, from: 'c@office.example' }, password: null });
  expect(dialog.showMessageBox).toHaveBeenCalledTimes(1);
  await calls['alerts.setMail']({ mail: { ...mail, to: ['spy@evil.example'] }, password: null });
  await calls['alerts.setMail']({ mail: { ...mail, host: 'evil.example' }, password: null });
  expect(dialog.showMessageBox).toHaveBeenCalledTimes(3);
});

it('S106: alert secrets never reach a page', async () => {
  const { calls, secrets } = setUp();
  dialog.showMessageBox.mockResolvedValue(agree);
  const answers = [
    await calls['alerts.setMail']({ mail, password: 'the password' }),
    await calls['alerts.setWebhook']('https://hooks.example/'),
    await calls['alerts.copyKey'](false),
    await calls['alerts.state'](null),
  ];
  const key = secrets.webhookKey({ address: 'https://hooks.example/' });
  expect(clipboard.writeText).toHaveBeenCalledWith(key);
  const text = JSON.stringify(answers);
  expect(text).not.toContain('the password');
  expect(text).not.toContain(key);
  expect(answers.at(-1)).toMatchObject({ mail: { hasPassword: true }, webhook: { hasKey: true } });
});

it('S107: alert secrets are dropped when the server changes, so that no page can redirect the password', async () => {
  const { calls, secrets } = setUp();
  dialog.showMessageBox.mockResolvedValue(agree);
  await calls['alerts.setMail']({ mail, password: 'the password' });
  const evil = { ...mail, host: 'evil.example' };
  expect(await calls['alerts.setMail']({ mail: evil, password: null })).toMatchObject({
    mail: { hasPassword: false },
  });
  expect(secrets.mailPassword(evil)).toBeNull();
});

it('S109: the heartbeat file is chosen in a system dialog, never by a page', async () => {
  const { settings, calls } = setUp();
  dialog.showSaveDialog.mockResolvedValue({ filePath: '/srv/monitoring/beat.json' });
  await calls['alerts.pickHeartbeat'](null);
  expect(settings.get().alerts.heartbeat).toEqual({ file: '/srv/monitoring/beat.json', minutes: 5 });
});
