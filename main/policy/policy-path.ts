const paths: Partial<Readonly<Record<NodeJS.Platform, string>>> = {
  linux: '/etc/tilelift/policy.json',
  darwin: '/Library/Application Support/Tilelift/policy.json',
  win32: 'C:\\ProgramData\\Tilelift\\policy.json',
};

/**
 * Where the policy of this computer lies; null on a system that has no place for one. Nothing of the environment moves it: `%ProgramData%` is a variable that each person can set, and
 * a policy that whoever it binds can point elsewhere binds nobody. Windows keeps the folder on the drive that it was installed on, which its own set-up has called C: since Vista.
 */
export function policyPath(platform: NodeJS.Platform): string | null {
  return paths[platform] ?? null;
}
