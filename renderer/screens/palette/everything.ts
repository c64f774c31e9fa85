import type { MenuCommandView } from '../../../preload/contract.ts';
import { say } from '../../say.ts';
import type { Stores } from '../../state/stores.ts';
import {
  meantBy,
  queueChoices,
  queueChoiceWord,
  rowChoices,
  rowChoiceWord,
} from '../../state/uploads/choices.ts';
import { queueOf } from '../../state/uploads/queue-rows.ts';
import { assetStatusWords } from '../../words/assets.ts';
import { describeState } from '../../words/job-row.ts';
import { assetTypeLabel } from '../../words/kinds.ts';
import type { Synonyms } from '../../words/settings.ts';
import { shortcutWords } from '../../words/shortcuts.ts';
import type { HelpPage } from '../help/pages/pages.ts';
import type { Entry } from './entries.ts';
import { settingsEntries } from './settings-entries.ts';

/** Further uploads are found by name and have their actions in their rows. */
const maxJobsWithActions = 100;

/** By id, without that of an upload. */
const synonyms: Readonly<Record<string, Synonyms>> = {
  'queue:pause': 'pause',
  pause: 'pause',
  'queue:try-again': 'retry',
  'try-again': 'retry',
  'start-again': 'retry',
  'try-now': 'retry',
  'queue:bring-back': 'bringBack',
  'queue:copy-list': 'copyList',
  share: 'share',
  'look:light': 'light',
  'look:dark': 'dark',
  settings: 'preferences',
  watch: 'watch',
  shortcuts: 'shortcuts',
  logs: 'logs',
};

const screens = ['uploads', 'watch', 'assets', 'settings'] as const;

export function everything(
  stores: Stores,
  command: (onCommand: MenuCommandView) => void,
  pages: readonly HelpPage[],
): readonly Entry[] {
  const entries: readonly Entry[] = [
    ...actions(stores, command),
    ...screens.map((screen) => ({
      id: screen,
      group: 'screens' as const,
      label: shortcutWords(screen),
      shortcut: screen,
      run: () => command(screen),
    })),
    ...settingsEntries(stores),
    ...queueEntries(stores, command),
    ...jobEntries(stores, command),
    ...assetEntries(stores),
    ...pages.map(({ name, title, language, text }) => ({
      id: `help:${name}`,
      group: 'help' as const,
      label: title,
      language,
      keywords: text,
      run: () => stores.guide.openHelp(name),
    })),
  ];
  return entries.map((entry) => {
    const name = synonyms[entry.id] ?? synonyms[entry.id.split(':', 1)[0] ?? ''];
    return name ? { ...entry, keywords: say(`palette.synonyms.${name}`) } : entry;
  });
}

function actions(
  { account, api, app, assets, guide, newAsset, notices, rulesImport, updates }: Stores,
  command: (onCommand: MenuCommandView) => void,
): readonly Entry[] {
  const entry = (id: string, label: string, run: () => void): Entry => ({ id, group: 'actions', label, run });
  const attemptWork = (work: () => Promise<unknown>, doneText?: string) => () =>
    void notices.attempt(work, doneText);
  const { lostAccounts, isSignedIn } = account;
  const startEntries = (['new-asset', 'choose-folder', 'watch-folder'] as const).map((shortcut) => ({
    ...entry(shortcut, shortcutWords(shortcut), () => command(shortcut)),
    shortcut,
  }));
  const otherAccounts = account.accounts.filter(({ id }) => id !== account.currentId);
  const otherAppearances = (['system', 'light', 'dark'] as const).filter(
    (appearance) => appearance !== app.appearance,
  );
  return [
    ...(isSignedIn ? startEntries : []),
    ...lostAccounts.map(({ id, name, service }) =>
      entry(`sign-in:${id}`, say('palette.signIn', { name }), () => void account.signIn(service, id)),
    ),
    ...(isSignedIn
      ? [
          entry(
            'choose-files',
            say('general.chooseFiles'),
            attemptWork(() => newAsset.pick('files')),
          ),
          entry(
            'import-rules',
            say('rulesFile.import'),
            attemptWork(() => rulesImport.open()),
          ),
        ]
      : []),
    ...(isSignedIn ? [entry('refresh', say('palette.refreshAssets'), () => void assets.refresh())] : []),
    ...otherAccounts.map(({ id, name }) =>
      entry(
        `account:${id}`,
        say('settings.account.switchTo', { name }),
        attemptWork(() => account.switchTo(id)),
      ),
    ),
    entry(
      'add-account',
      say('account.add'),
      attemptWork(() => account.addAccount()),
    ),
    ...otherAppearances.map((appearance) =>
      entry(
        `look:${appearance}`,
        say(`palette.appearance.${appearance}`),
        attemptWork(() => app.setAppearance(appearance)),
      ),
    ),
    ...(updates.view && updates.view.state.kind !== 'off'
      ? [
          entry(
            'updates',
            say('palette.checkForUpdates'),
            attemptWork(() => updates.checkNow()),
          ),
        ]
      : []),
    { ...entry('help', shortcutWords('help'), () => guide.openHelp()), shortcut: 'help' },
    {
      ...entry('shortcuts', shortcutWords('shortcuts'), () => (guide.shortcuts = true)),
      shortcut: 'shortcuts',
    },
    entry(
      'logs',
      say('menu.openLogs'),
      attemptWork(() => api.call('app.openLogs', null)),
    ),
    entry(
      'diagnostics',
      say('menu.copyDiagnostics'),
      attemptWork(() => api.call('app.copyDiagnostics', null), say('menu.diagnosticsCopied')),
    ),
  ];
}

/** The list executes these, because it can ask and undo. */
function queueEntries({ jobs }: Stores, command: (onCommand: MenuCommandView) => void): readonly Entry[] {
  return queueChoices
    .filter((choice) => choice === 'bring-back' || meantBy(choice, jobs.list).length > 0)
    .map((choice) => ({
      id: `queue:${choice}`,
      group: 'actions',
      label: queueChoiceWord(choice),
      onlyFound: true,
      run: () => {
        command('uploads');
        jobs.request = { about: 'all', choice };
      },
    }));
}

function jobEntries(
  { clock, jobs }: Stores,
  command: (onCommand: MenuCommandView) => void,
): readonly Entry[] {
  const queue = queueOf(jobs.list);
  return jobs.list.flatMap((job, index) => {
    const show: Entry = {
      id: `job:${job.id}`,
      group: 'jobs',
      label: job.name,
      detail: describeState(job, clock.now).word,
      run: () => {
        command('uploads');
        jobs.openedId = job.id;
      },
    };
    if (index >= maxJobsWithActions) return [show];
    const { moves, actions, looks: lookChoices } = rowChoices(job, queue);
    const acts = [...moves, ...actions, ...lookChoices].map(
      (choice): Entry => ({
        id: `${choice}:${job.id}`,
        group: 'actions',
        label: withName(rowChoiceWord(choice), job.name),
        onlyFound: true,
        run: () => {
          command('uploads');
          jobs.request = { about: job, choice };
        },
      }),
    );
    return [show, ...acts];
  });
}

/** `Share…` → `Share: Harbour…`. */
function withName(action: string, name: string): string {
  const [ellipsis = ''] = /\s?…$/.exec(action) ?? [];
  return say('palette.of', { action: action.slice(0, action.length - ellipsis.length), name }) + ellipsis;
}

function assetEntries({ account, api, assets, notices }: Stores): readonly Entry[] {
  if (!account.isSignedIn) return [];
  return (assets.list ?? []).map((asset) => ({
    id: `asset:${asset.id}`,
    group: 'assets',
    label: asset.name,
    detail: `${assetTypeLabel(asset.type)} · ${assetStatusWords(asset).word} · ${asset.id}`,
    onlyFound: true,
    run: () => void notices.attempt(() => api.call('assets.open', { id: asset.id, accountId: null })),
  }));
}
