import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeRule, makeSource, makeWatched } from '../../../../gallery/samples/sample-watch.ts';
import type {
  CallName,
  Calls,
  ErrorCode,
  Events,
  RuleSnapshot,
  SourceSnapshot,
} from '../../../../preload/contract.ts';
import { type Api, ApiError } from '../../../../renderer/api.ts';
import { errorWords } from '../../../../renderer/say.ts';
import { BackgroundState } from '../../../../renderer/state/settings.svelte.ts';
import { WatchState } from '../../../../renderer/state/watch/watch.svelte.ts';
import { WatchEditorState } from '../../../../renderer/state/watch/watch-editor.svelte.ts';
import { backgroundSwitches } from '../../../../shared/background.ts';

type Answers = { [Name in CallName]?: (input: Calls[Name]['input']) => Promise<Calls[Name]['output']> };

/** A bridge with these responses that records requests and can emit a change. */
function fakeApi(answers: Answers) {
  const requests: { readonly name: CallName; readonly input: unknown }[] = [];
  let listener: ((value: Events['watch.changed']) => void) | undefined;
  let hearLooked: ((value: Events['watch.dryRunLooked']) => void) | undefined;
  const api: Api = {
    async call(name, input) {
      requests.push({ name, input });
      const answer = answers[name];
      if (!answer) throw new Error(`${name} has no answer.`);
      return answer(input);
    },
    on(name, given) {
      if (name === 'watch.changed') listener = given as typeof listener;
      else if (name === 'watch.dryRunLooked') hearLooked = given as typeof hearLooked;
      return () => {
        listener = undefined;
      };
    },
    pathOf: () => '',
  };
  return {
    api,
    of: (name: CallName) => requests.filter((request) => request.name === name).map(({ input }) => input),
    tell: (folders: readonly RuleSnapshot[], sourcesOf: readonly string[] = []) =>
      listener?.({ folders, sourcesOf }),
    tellLooked: (inspection: Events['watch.dryRunLooked']) => hearLooked?.(inspection),
  };
}

const refusal = (code: ErrorCode, field?: string) =>
  new ApiError({ code, retryable: false, ...(field === undefined ? {} : { field }) });
const view = makeWatched(makeRule({ id: 'a', name: 'Drone landings', folder: '/srv/uav' }));
const source = makeSource({ ruleId: 'a', path: 'Kai_3', state: 'failed', why: [], at: 1 });
const settleTimers = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('WatchState', () => {
  function startedState(answers: Answers = {}) {
    const main = fakeApi({ 'watch.folders': async () => [view], ...answers });
    const watch = new WatchState(main.api);
    watch.start();
    return { main, watch };
  }

  it('WatchState prefers an event to an older response', async () => {
    let give: (folders: readonly RuleSnapshot[]) => void = () => {};
    const { main, watch } = startedState({
      'watch.folders': () => new Promise((resolve) => (give = resolve)),
    });
    main.tell([{ ...view, state: 'looking' }]);
    give([view]);
    await settleTimers();
    expect(watch.folders?.[0]?.state).toBe('looking');
  });

  it('WatchState reports a failed list and can retry', async () => {
    let isWorking = false;
    const { watch } = startedState({
      'watch.folders': async () => {
        if (!isWorking) throw refusal('journal-unusable');
        return [view];
      },
    });
    await settleTimers();
    expect([watch.folders, watch.error?.code]).toEqual([null, 'journal-unusable']);
    isWorking = true;
    await watch.refresh();
    expect([watch.folders, watch.error]).toEqual([[view], null]);
  });

  it('WatchState counts active and waiting sources', async () => {
    const { main, watch } = startedState({ 'watch.folders': async () => [] });
    main.tell([
      {
        ...view,
        counts: {
          settling: 9,
          waiting: 2,
          underWay: 1,
          complete: 9,
          failed: 9,
          held: 9,
          leftAlone: 9,
          skipped: 9,
        },
      },
      { ...view, rule: { ...view.rule, id: 'b' }, counts: { ...view.counts, failed: 2 } },
    ]);
    expect([watch.busy, watch.failedCount]).toEqual([3, 11]);
  });

  it('WatchState requests sources of opened rules only', async () => {
    const { main, watch } = startedState({ 'watch.sources': async () => [source] });
    main.tell([view], ['a']);
    await settleTimers();
    expect(main.of('watch.sources')).toEqual([]);
    watch.toggle('a');
    await settleTimers();
    expect(watch.sources.get('a')?.list).toEqual([source]);
    watch.toggle('a');
    main.tell([view], ['a']);
    await settleTimers();
    expect(main.of('watch.sources')).toEqual(['a']);
  });

  it('WatchState requests once more for any number of changes during a request', async () => {
    const answerWaiting: ((list: readonly SourceSnapshot[]) => void)[] = [];
    const { main, watch } = startedState({
      'watch.sources': () => new Promise((resolve) => answerWaiting.push(resolve)),
    });
    watch.toggle('a');
    for (let change = 0; change < 20; change += 1) main.tell([view], ['a']);
    expect(main.of('watch.sources')).toHaveLength(1);
    answerWaiting[0]?.([]);
    await settleTimers();
    expect(main.of('watch.sources')).toHaveLength(2);
    answerWaiting[1]?.([source]);
    await settleTimers();
    expect(watch.sources.get('a')?.list).toEqual([source]);
    expect(main.of('watch.sources')).toHaveLength(2);
  });

  it('WatchState keeps the list when a reload fails', async () => {
    let isWorking = true;
    const main = fakeApi({
      'watch.folders': async () => [view],
      'watch.sources': async () => {
        if (isWorking) return [source];
        throw refusal('internal');
      },
    });
    const watch = new WatchState(main.api);
    await watch.loadSources('a');
    isWorking = false;
    await watch.loadSources('a');
    expect(watch.sources.get('a')).toMatchObject({ list: [source], error: { code: 'internal' } });
  });

  it('WatchState forgets everything of a removed rule', async () => {
    const { watch } = startedState({ 'watch.sources': async () => [source], 'watch.remove': async () => {} });
    await settleTimers();
    watch.toggle('a');
    await settleTimers();
    await watch.remove('a');
    expect([watch.folders, watch.openedIds.size, watch.sources.size]).toEqual([[], 0, 0]);
  });

  it('WatchState shows a switch immediately and reverts it when refused', async () => {
    const main = fakeApi({
      'watch.folders': async () => [view],
      'watch.setOn': async () => {
        throw refusal('watch-rule-unknown');
      },
    });
    const watch = new WatchState(main.api);
    await watch.refresh();
    const switchDone = watch.setOn('a', false);
    expect([watch.folders?.[0]?.rule.on, watch.folders?.[0]?.state]).toEqual([false, 'paused']);
    await expect(switchDone).rejects.toThrow(ApiError);
    expect(watch.folders).toEqual([view]);
  });

  it('WatchState announces ends within some seconds in one sentence', async () => {
    const { main, watch } = startedState();
    await settleTimers();
    for (let complete = 1; complete <= 6; complete += 1) {
      main.tell([{ ...view, counts: { ...view.counts, complete } }]);
      expect(watch.announcement).toBe('');
    }
    await vi.advanceTimersByTimeAsync(5_000);
    expect(watch.announcement.replaceAll('\u00a0', ' ')).toBe('Drone landings: 6 sources complete.');
  });

  it('WatchState does not announce the initial state', async () => {
    const { main, watch } = startedState({ 'watch.folders': async () => [] });
    main.tell([{ ...view, counts: { ...view.counts, complete: 214 } }]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(watch.announcement).toBe('');
  });
});

describe('WatchEditorState', () => {
  const result = { sources: [], wouldBeTaken: 7, known: 0 };

  function editorOn(answers: Answers) {
    const main = fakeApi({
      'watch.dryRun': async () => result,
      'watch.save': async () => [view],
      ...answers,
    });
    const watch = new WatchState(main.api);
    const editor = new WatchEditorState(
      main.api,
      () => 'new-id',
      (folders) => watch.take(folders),
    );
    return { main, watch, editor };
  }
  const fillIn = (editor: WatchEditorState) => {
    editor.openNew('account');
    editor.takeFolder('/srv/uav');
    editor.change({ kindFrom: 'rule', assetType: '3DTILES', sourceType: '3D_CAPTURE' });
  };

  it('WatchEditorState previews a typed folder once the user confirms it, and takes only new data by default', async () => {
    const folder = { path: '/srv', isNetworkDrive: false };
    const { main, editor } = editorOn({ 'watch.pickFolder': async () => folder });
    editor.openNew('account');
    for (const typedText of ['/', '/s', '/sr', '/srv']) editor.typeFolder(typedText);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([editor.dryRun.kind, main.of('watch.dryRun'), main.of('watch.pickFolder')]).toEqual([
      'none',
      [],
      [],
    ]);

    await Promise.all([editor.confirmFolder(), editor.confirmFolder()]);
    await vi.advanceTimersByTimeAsync(400);
    expect(main.of('watch.pickFolder')).toEqual(['/srv']);
    expect(editor.dryRun).toEqual({ kind: 'found', run: result, inspection: null });
    expect(await editor.submit()).toBe(true);
    expect(main.of('watch.save')).toMatchObject([{ rule: { folder: '/srv' }, takeExisting: false }]);
  });

  it('WatchEditorState saves nothing and names the field if the user refuses a typed folder', async () => {
    const { main, editor } = editorOn({
      'watch.pickFolder': async () => {
        throw refusal('path-not-given', 'folder');
      },
    });
    fillIn(editor);
    editor.typeFolder('/srv/private');
    expect(await editor.submit()).toBe(false);
    expect(main.of('watch.save')).toEqual([]);
    expect(editor.problems.get('folder')).toBe(errorWords({ code: 'path-not-given' }));
  });

  it('WatchEditorState drops the result of an earlier check', async () => {
    const answerWaiting: ((run: typeof result) => void)[] = [];
    const { editor } = editorOn({
      'watch.dryRun': () => new Promise((resolve) => answerWaiting.push(resolve)),
    });
    fillIn(editor);
    await vi.advanceTimersByTimeAsync(400);
    editor.takeFolder('/srv/other');
    await vi.advanceTimersByTimeAsync(400);
    answerWaiting[1]?.({ ...result, wouldBeTaken: 2 });
    answerWaiting[0]?.(result);
    await settleTimers();
    expect(editor.dryRun).toMatchObject({ run: { wouldBeTaken: 2 } });
  });

  it('WatchEditorState shows findings until the next check, and stops when closed', async () => {
    const { main, editor } = editorOn({ 'watch.leaveDryRun': async () => {} });
    const inspection = { looked: 1, total: 7, isOver: false, heldCount: 0, held: [] };
    fillIn(editor);
    main.tellLooked(inspection);
    expect(editor.dryRun.kind).toBe('looking');
    await vi.advanceTimersByTimeAsync(400);
    main.tellLooked(inspection);
    expect(editor.dryRun).toEqual({ kind: 'found', run: result, inspection });
    editor.close();
    main.tellLooked(inspection);
    expect(editor.dryRun).toEqual({ kind: 'none' });
    expect(main.of('watch.leaveDryRun')).toEqual([null]);
  });

  it('WatchEditorState does not check again for a new name', async () => {
    const { main, editor } = editorOn({});
    fillIn(editor);
    await vi.advanceTimersByTimeAsync(400);
    editor.change({ name: 'Drone landings' });
    await vi.advanceTimersByTimeAsync(400);
    expect(main.of('watch.dryRun')).toHaveLength(1);
    expect(editor.dryRun.kind).toBe('found');
  });

  it('WatchEditorState shows missing fields only after saving', async () => {
    const { main, editor } = editorOn({});
    editor.openNew('account');
    expect(editor.problems.size).toBe(0);
    expect(await editor.submit()).toBe(false);
    expect([...editor.problems.keys()]).toEqual(['folder']);
    expect(main.of('watch.save')).toEqual([]);
  });

  it('WatchEditorState reports invalid JSON in further options immediately and does not save it', async () => {
    const { main, editor } = editorOn({});
    fillIn(editor);
    editor.change({ furtherOptions: '{ "quality": ' });
    expect([...editor.problems]).toEqual([['furtherOptions', 'Line 1: a value is missing.']]);
    expect(await editor.submit()).toBe(false);
    editor.change({ furtherOptions: '{ "quality": "DRACO" }' });
    expect(await editor.submit()).toBe(true);
    expect(main.of('watch.save')).toMatchObject([{ rule: { options: '{"quality":"DRACO"}' } }]);
  });

  it('WatchEditorState shows an error from the main process at its field without a retry', async () => {
    const { editor } = editorOn({
      'watch.dryRun': async () => {
        throw refusal('watch-folder-nested', 'folder');
      },
    });
    fillIn(editor);
    await vi.advanceTimersByTimeAsync(400);
    expect(editor.problems.get('folder')).toBe(errorWords({ code: 'watch-folder-nested' }));
    editor.typeFolder('/srv/other');
    expect(editor.problems.size).toBe(0);
  });

  it.each([true, false])(
    'WatchEditorState saves a new rule with existing files taken: %s',
    async (takeExisting) => {
      const { main, editor } = editorOn({});
      fillIn(editor);
      editor.takeExisting = takeExisting;
      expect(await editor.submit()).toBe(true);
      expect(main.of('watch.save')).toMatchObject([
        { rule: { id: 'new-id', folder: '/srv/uav' }, takeExisting },
      ]);
      expect(editor.draft).toBeNull();
    },
  );

  it('WatchEditorState takes only new data of a folder whose contents the user has not seen', async () => {
    let isReadable = true;
    const { main, editor } = editorOn({
      'watch.dryRun': async () => {
        if (!isReadable) throw refusal('watch-folder-unreadable', 'folder');
        return result;
      },
    });
    fillIn(editor);
    editor.takeExisting = true;
    editor.typeFolder('/srv/other');
    expect(editor.takeExisting).toBe(false);
    editor.takeFolder('/srv/other');
    editor.takeExisting = true;
    isReadable = false;
    await vi.advanceTimersByTimeAsync(400);
    expect(editor.dryRun.kind).toBe('failed');
    await editor.submit();
    expect(main.of('watch.save')).toMatchObject([{ takeExisting: false }]);
  });

  it('WatchEditorState shows the new folder immediately after saving', async () => {
    const { watch, editor } = editorOn({});
    fillIn(editor);
    await editor.submit();
    expect(watch.folders).toEqual([view]);
  });

  it.each([true, false])(
    'WatchEditorState takes existing files of a changed rule only if the user wants: %s',
    async (takeExisting) => {
      const { main, editor } = editorOn({});
      editor.openRule(view);
      expect(editor.takeExisting).toBe(false);
      editor.takeExisting = takeExisting;
      await editor.submit();
      expect(main.of('watch.save')).toEqual([{ rule: view.rule, takeExisting }]);
    },
  );

  it('WatchEditorState stays open with the reason when refused', async () => {
    const { editor } = editorOn({
      'watch.save': async () => {
        throw refusal('journal-full');
      },
    });
    fillIn(editor);
    expect(await editor.submit()).toBe(false);
    expect([editor.draft?.folder, editor.error?.code, editor.saving]).toEqual([
      '/srv/uav',
      'journal-full',
      false,
    ]);
  });

  it('WatchEditorState stops checking when closed', async () => {
    const { main, editor } = editorOn({});
    fillIn(editor);
    editor.close();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(main.of('watch.dryRun')).toEqual([]);
    expect(editor.dryRun.kind).toBe('none');
  });
});

describe('background settings in WatchState', () => {
  const usualSettings = {
    startAtLogin: false,
    canStartAtLogin: true,
    keepRunning: true,
    withoutWindow: 'stays' as const,
    ...backgroundSwitches,
  };

  it('background settings in WatchState show what the system applied', async () => {
    const main = fakeApi({
      'background.state': async () => usualSettings,
      'background.set': async () => ({ ...usualSettings, startAtLogin: false, notify: false }),
    });
    const background = new BackgroundState(main.api);
    await background.load();
    const settingDone = background.set({ startAtLogin: true });
    expect(background.view?.startAtLogin).toBe(true);
    await settingDone;
    expect(background.view).toMatchObject({ startAtLogin: false, notify: false });
    expect(main.of('background.set')).toEqual([
      { startAtLogin: true, keepRunning: true, ...backgroundSwitches },
    ]);
  });

  it('background settings in WatchState revert when they can’t be set', async () => {
    const main = fakeApi({
      'background.state': async () => usualSettings,
      'background.set': async () => {
        throw refusal('login-item-unavailable');
      },
    });
    const background = new BackgroundState(main.api);
    await background.load();
    await expect(background.set({ startAtLogin: true })).rejects.toThrow(ApiError);
    expect(background.view).toEqual(usualSettings);
  });
});
