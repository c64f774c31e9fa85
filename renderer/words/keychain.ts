import type { AppInfo } from '../../preload/contract.ts';
import { say } from '../say.ts';

type MissingKeychain = Exclude<AppInfo['keychain'], 'in-use'>;

export function keychainState(keychain: AppInfo['keychain']): string {
  if (keychain === 'in-use') return say('settings.keychain.inUse');
  return say(keychain === 'locked' ? 'settings.keychain.isLocked' : 'settings.keychain.notAvailable');
}

export function keychainTrouble(keychain: MissingKeychain): string {
  return say(`settings.keychain.${keychain}`);
}

export function keychainAdvice(keychain: MissingKeychain, platform: AppInfo['platform']): string {
  if (platform === 'win32') return say('settings.keychain.onWindows');
  if (keychain === 'none') return say('settings.keychain.install');
  return say(platform === 'darwin' ? 'settings.keychain.unlockOnMac' : 'settings.keychain.unlock');
}
