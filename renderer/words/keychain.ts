import type { AppInfo } from '../../preload/contract.ts';

/** A system's keychain that is not in use. */
type Missing = Exclude<AppInfo['keychain'], 'in-use'>;

/** What it means that no keychain is in use. */
export function keychainTrouble(keychain: Missing): string {
  return keychain === 'locked'
    ? 'This computer’s keychain is locked; you stay signed in until Tilelift quits.'
    : 'This computer has no keychain; you stay signed in until Tilelift quits.';
}

/** What to do so that the system has a keychain. */
export function keychainAdvice(keychain: Missing, platform: AppInfo['platform']): string {
  if (platform === 'win32') {
    return 'Windows could not open its data protection for this user. Sign in to Windows again, then restart Tilelift.';
  }
  if (keychain === 'none') {
    return 'Install GNOME Keyring or KWallet (on Debian and Ubuntu: gnome-keyring), sign in to the desktop again and restart Tilelift.';
  }
  const where =
    platform === 'darwin' ? 'the login keychain in Keychain Access' : 'it in Passwords and Keys or KWallet';
  return `Unlock ${where}, then restart Tilelift; the sign-in of before is still there.`;
}
