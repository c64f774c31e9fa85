import type { AppInfo } from '../../preload/contract.ts';

/** What to do so that the system has a keychain. */
export function keychainAdvice(platform: AppInfo['platform']): string {
  if (platform === 'linux') {
    return 'Install GNOME Keyring or KWallet (on Debian and Ubuntu: gnome-keyring), sign in to the desktop again and restart Tilelift.';
  }
  if (platform === 'darwin') return 'Unlock the login keychain in Keychain Access, then restart Tilelift.';
  return 'Windows could not open its data protection for this user. Sign in to Windows again, then restart Tilelift.';
}
