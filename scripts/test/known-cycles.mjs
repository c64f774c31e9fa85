/** Imports that close cycles of folders and are to be removed. Add none. */
export const knownCycles = [
  'main/account -> main/account/tokens',
  'main/account/vault -> main/account',
  'main/cli -> main/cli/access',
  'main/cli -> main/cli/commands',
  'main/desktop -> main/desktop/quit',
  'main/desktop -> main/desktop/tray',
  'main/desktop -> main/desktop/updates',
  'main/desktop/launch -> main/desktop',
  'main/ipc -> main/ipc/handlers/source',
  'main/ipc/handlers -> main/ipc',
  'main/ipc/handlers -> main/ipc/views',
  'main/storage -> main/storage/agents',
  'main/storage -> main/storage/requests',
];
