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

type Answers = { [Name in CallName]?: (input: Calls[Name]['input']) => Promise<Calls[Name]['output']> };

/** A bridge that answers as it is told, keeps what it was asked and can tell of a change. */
function fakeApi(answers: Answers) {
  const asked: { readonly name: CallName; readonly input: unknown }[] = [];
  let listener: ((value: Events['watch.changed']) => void) | undefined;
  let hearLooked: ((value: Events['watch.dryRunLooked']) => void) | undefined;
  const api: Api = {
    async call(name, input) {
      asked.push({ name, input });
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
    of: (name: CallName) => asked.filter((one) => one.name === name).map(({ input }) => input),
    tell: (folders: readonly RuleSnapshot[], sourcesOf: readonly string[] = []) =>
      listener?.({ folders, sourcesOf }),
    tellLooked: (looked: Events['watch.dryRunLooked']) => hearLooked?.(looked),
  };
}

const refusal = (code: ErrorCode, field?: string) =>
  new ApiError({ code, retryable: false, ...(field === undefined ? {} : { field }) });
const view = makeWatched(makeRule({ id: 'a', name: 'Drone landings', folder: '/srv/uav' }));
const source = makeSource({ ruleId: 'a', path: 'Kai_3', state: 'failed', why: [], at: 1 });
const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the watched folders', () => {
  it('believe an event more than an answer that it has overtaken', async () => {
    let give: (folders: readonly RuleSnapshot[]) => void = () => {};
    const main = fakeApi({ 'watch.folders': () => new Promise((resolve) => (give = resolve)) });
    const watch = new WatchState(main.api);
    watch.start();
    main.tell([{ ...view, state: 'looking' }]);
    give([view]);
    await settled();
    expect(watch.folders?.[0]?.state).toBe('looking');
  });

  it('say why they can’t be listed, and can be asked again', async () => {
    let works = false;
    const main = fakeApi({
      'watch.folders': async () => {
        if (!works) throw refusal('journal-unusable');
        return [view];
      },
    });
    const watch = new WatchState(main.api);
    watch.start();
    await settled();
    expect([watch.folders, watch.error?.code]).toEqual([null, 'journal-unusable']);
    works = true;
    await watch.refresh();
    expect([watch.folders, watch.error]).toEqual([[view], null]);
  });

  it('count what is under way or waiting', async () => {
    const main = fakeApi({ 'watch.folders': async () => [] });
    const watch = new WatchState(main.api);
    watch.start();
    main.tell([
      {
        ...view,
        counts: { settling: 9, waiting: 2, underWay: 1, complete: 9, failed: 9, held: 9, leftAlone: 9 },
      },
    ]);
    expect(watch.busy).toBe(3);
  });

  it('ask for the sources of opened rules alone', async () => {
    const main = fakeApi({ 'watch.folders': async () => [view], 'watch.sources': async () => [source] });
    const watch = new WatchState(main.api);
    watch.start();
    main.tell([view], ['a']);
    await settled();
    expect(main.of('watch.sources')).toEqual([]);
    watch.toggle('a');
    await settled();
    expect(watch.sources.get('a')?.list).toEqual([source]);
    watch.toggle('a');
    main.tell([view], ['a']);
    await settled();
    expect(main.of('watch.sources')).toEqual(['a']);
  });

  it('ask once more, not many times, for what changes while an answer is on its way', async () => {
    const waiting: ((list: readonly SourceSnapshot[]) => void)[] = [];
    const main = fakeApi({
      'watch.folders': async () => [view],
      'watch.sources': () => new Promise((resolve) => waiting.push(resolve)),
    });
    const watch = new WatchState(main.api);
    watch.start();
    watch.toggle('a');
    for (let change = 0; change < 20; change += 1) main.tell([view], ['a']);
    expect(main.of('watch.sources')).toHaveLength(1);
    waiting[0]?.([]);
    await settled();
    expect(main.of('watch.sources')).toHaveLength(2);
    waiting[1]?.([source]);
    await settled();
    expect(watch.sources.get('a')?.list).toEqual([source]);
    expect(main.of('watch.sources')).toHaveLength(2);
  });

  it('keep what was listed when it can’t be listed again', async () => {
    let works = true;
    const main = fakeApi({
      'watch.folders': async () => [view],
      'watch.sources': async () => {
        if (works) return [source];
        throw refusal('internal');
      },
    });
    const watch = new WatchState(main.api);
    await watch.loadSources('a');
    works = false;
    await watch.loadSources('a');
    expect(watch.sources.get('a')).toMatchObject({ list: [source], error: { code: 'internal' } });
  });

  it('forget what belongs to a rule that is gone', async () => {
    const main = fakeApi({
      'watch.folders': async () => [view],
      'watch.sources': async () => [source],
      'watch.remove': async () => {},
    });
    const watch = new WatchState(main.api);
    watch.start();
    await settled();
    watch.toggle('a');
    await settled();
    await watch.remove('a');
    expect([watch.folders, watch.opened.size, watch.sources.size]).toEqual([[], 0, 0]);
  });

  it('show a switch at once, and put it back when it was refused', async () => {
    const main = fakeApi({
      'watch.folders': async () => [view],
      'watch.setOn': async () => {
        throw refusal('watch-rule-unknown');
      },
    });
    const watch = new WatchState(main.api);
    await watch.refresh();
    const done = watch.setOn('a', false);
    expect([watch.folders?.[0]?.rule.on, watch.folders?.[0]?.state]).toEqual([false, 'paused']);
    await expect(done).rejects.toThrow(ApiError);
    expect(watch.folders).toEqual([view]);
  });

  it('announce what ended within some seconds in one sentence', async () => {
    const main = fakeApi({ 'watch.folders': async () => [view] });
    const watch = new WatchState(main.api);
    watch.start();
    await settled();
    for (let complete = 1; complete <= 6; complete += 1) {
      main.tell([{ ...view, counts: { ...view.counts, complete } }]);
      expect(watch.announcement).toBe('');
    }
    await vi.advanceTimersByTimeAsync(5_000);
    expect(watch.announcement.replaceAll('\u00a0', ' ')).toBe('Drone landings: 6 sources complete.');
  });

  it('are silent about what was so before anyone looked', async () => {
    const main = fakeApi({ 'watch.folders': async () => [] });
    const watch = new WatchState(main.api);
    watch.start();
    main.tell([{ ...view, counts: { ...view.counts, complete: 214 } }]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(watch.announcement).toBe('');
  });
});

describe('the editor of a rule', () => {
  const found = { sources: [], wouldBeTaken: 7, known: 0 };

  function editorOn(answers: Answers) {
    const main = fakeApi({ 'watch.dryRun': async () => found, 'watch.save': async () => [view], ...answers });
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
    editor.typeFolder('/srv/uav');
    editor.change({ assetType: '3DTILES', sourceType: '3D_CAPTURE' });
  };

  it('looks into the folder once typing has paused, and says so at once', async () => {
    const { main, editor } = editorOn({});
    editor.openNew('account');
    for (const folder of ['/', '/s', '/sr', '/srv']) {
      editor.typeFolder(folder);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(editor.dryRun.kind).toBe('looking');
    expect(main.of('watch.dryRun')).toEqual([]);
    await vi.advanceTimersByTimeAsync(400);
    expect(main.of('watch.dryRun')).toHaveLength(1);
    expect(editor.dryRun).toEqual({ kind: 'found', run: found, inspection: null });
  });

  it('throws away what an earlier look found', async () => {
    const waiting: ((run: typeof found) => void)[] = [];
    const { editor } = editorOn({ 'watch.dryRun': () => new Promise((resolve) => waiting.push(resolve)) });
    fillIn(editor);
    await vi.advanceTimersByTimeAsync(400);
    editor.typeFolder('/srv/other');
    await vi.advanceTimersByTimeAsync(400);
    waiting[1]?.({ ...found, wouldBeTaken: 2 });
    waiting[0]?.(found);
    await settled();
    expect(editor.dryRun).toMatchObject({ run: { wouldBeTaken: 2 } });
  });

  it('shows what is found in files, unless it is looking anew, and wants no more of it once closed', async () => {
    const { main, editor } = editorOn({ 'watch.leaveDryRun': async () => {} });
    const looked = { looked: 1, total: 7, isOver: false, heldCount: 0, held: [] };
    fillIn(editor);
    main.tellLooked(looked);
    expect(editor.dryRun.kind).toBe('looking');
    await vi.advanceTimersByTimeAsync(400);
    main.tellLooked(looked);
    expect(editor.dryRun).toEqual({ kind: 'found', run: found, inspection: looked });
    editor.close();
    main.tellLooked(looked);
    expect(editor.dryRun).toEqual({ kind: 'none' });
    expect(main.of('watch.leaveDryRun')).toEqual([null]);
  });

  it('does not look again for a new name', async () => {
    const { main, editor } = editorOn({});
    fillIn(editor);
    await vi.advanceTimersByTimeAsync(400);
    editor.change({ name: 'Drone landings' });
    await vi.advanceTimersByTimeAsync(400);
    expect(main.of('watch.dryRun')).toHaveLength(1);
    expect(editor.dryRun.kind).toBe('found');
  });

  it('names what is missing only after saving was tried', async () => {
    const { main, editor } = editorOn({});
    editor.openNew('account');
    expect(editor.problems.size).toBe(0);
    expect(await editor.submit()).toBe(false);
    expect([...editor.problems.keys()]).toEqual(['folder', 'kind']);
    expect(main.of('watch.save')).toEqual([]);
  });

  it('says at once where further options are no JSON, and keeps no such rule', async () => {
    const { main, editor } = editorOn({});
    fillIn(editor);
    editor.change({ furtherOptions: '{ "quality": ' });
    expect([...editor.problems]).toEqual([['furtherOptions', 'Line 1: a value is missing.']]);
    expect(await editor.submit()).toBe(false);
    editor.change({ furtherOptions: '{ "quality": "DRACO" }' });
    expect(await editor.submit()).toBe(true);
    expect(main.of('watch.save')).toMatchObject([{ rule: { options: '{"quality":"DRACO"}' } }]);
  });

  it('shows what main finds wrong at its field, without a try', async () => {
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

  it.each([true, false])('keeps a new rule; what is there is taken: %s', async (takeExisting) => {
    const { main, editor } = editorOn({});
    fillIn(editor);
    editor.takeExisting = takeExisting;
    expect(await editor.submit()).toBe(true);
    expect(main.of('watch.save')).toMatchObject([
      { rule: { id: 'new-id', folder: '/srv/uav' }, takeExisting },
    ]);
    expect(editor.draft).toBeNull();
  });

  it('shows the folder as soon as it is closed, before main reports it', async () => {
    const { watch, editor } = editorOn({});
    fillIn(editor);
    await editor.submit();
    expect(watch.folders).toEqual([view]);
  });

  it.each([true, false])(
    'leaves what is there when a rule is changed, unless the person says otherwise: %s',
    async (takeExisting) => {
      const { main, editor } = editorOn({});
      editor.openRule(view);
      expect(editor.takeExisting).toBe(false);
      editor.takeExisting = takeExisting;
      await editor.submit();
      expect(main.of('watch.save')).toEqual([{ rule: view.rule, takeExisting }]);
    },
  );

  it('stays open with the reason when it was refused', async () => {
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

  it('looks no more once it is closed', async () => {
    const { main, editor } = editorOn({});
    fillIn(editor);
    editor.close();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(main.of('watch.dryRun')).toEqual([]);
    expect(editor.dryRun.kind).toBe('none');
  });
});

describe('the background', () => {
  const usual = {
    startAtLogin: false,
    canStartAtLogin: true,
    keepRunning: true,
    withoutWindow: 'stays' as const,
    keepAwake: true,
    notify: true,
    askBeforeQuit: true,
  };

  it('is what the system made of it', async () => {
    const main = fakeApi({
      'background.state': async () => usual,
      'background.set': async () => ({ ...usual, startAtLogin: false, notify: false }),
    });
    const background = new BackgroundState(main.api);
    await background.load();
    const done = background.set({ startAtLogin: true });
    expect(background.view?.startAtLogin).toBe(true);
    await done;
    expect(background.view).toMatchObject({ startAtLogin: false, notify: false });
    expect(main.of('background.set')).toEqual([
      { startAtLogin: true, keepRunning: true, keepAwake: true, notify: true, askBeforeQuit: true },
    ]);
  });

  it('comes back as it was when it could not be set', async () => {
    const main = fakeApi({
      'background.state': async () => usual,
      'background.set': async () => {
        throw refusal('login-item-unavailable');
      },
    });
    const background = new BackgroundState(main.api);
    await background.load();
    await expect(background.set({ startAtLogin: true })).rejects.toThrow(ApiError);
    expect(background.view).toEqual(usual);
  });
});
