import type {
  CallName,
  Calls,
  ErrorRecord,
  Events,
  RuleSnapshot,
  SourceSnapshot,
} from '../../preload/contract.ts';
import { makeWatched, type WatchScene } from '../samples/sample-watch.ts';
import { Refusal, refuseWith } from './refusal.ts';

type WatchCall = Extract<CallName, `watch.${string}`>;
type WatchHandlers = { [Name in WatchCall]: (input: Calls[Name]['input']) => Promise<Calls[Name]['output']> };

const answeredPart = (answer: 'leave-all' | 'make-all'): Partial<SourceSnapshot> =>
  answer === 'leave-all'
    ? { state: 'complete', why: [{ key: 'sources.why.complete' }], actions: [] }
    : { state: 'settling', why: [{ key: 'sources.why.turn' }], actions: ['take-now'] };

/** Plays calls about watched folders: rules change, and `move` advances their sources. */
export function playWatch(
  scene: WatchScene,
  actError: ErrorRecord | null,
  tell: (value: Events['watch.changed']) => void,
  tellLooked: (value: Events['watch.dryRunLooked']) => void,
): { readonly handlers: WatchHandlers; move(): void } {
  let folders = scene.folders;
  const sources = new Map(scene.sources);

  function replaceRules(changedRules: readonly RuleSnapshot[], sourcesOf: readonly string[] = []): void {
    folders = changedRules;
    tell({ folders, sourcesOf });
  }

  function changeSource(id: string, path: string, part: Partial<SourceSnapshot>): void {
    const list = sources.get(id) ?? [];
    sources.set(
      id,
      list.map((source) => (source.path === path ? { ...source, ...part } : source)),
    );
    replaceRules(folders, [id]);
  }

  const handlers: WatchHandlers = {
    'watch.folders': async () => {
      refuseWith(scene.error);
      return folders;
    },
    'watch.pickFolder': async (enteredPath) => ({
      path: enteredPath ?? '\\\\nas02\\uav\\landings',
      isNetworkDrive: enteredPath === null,
    }),
    'watch.save': async ({ rule }) => {
      if (!scene.dryRun.ok) throw new Refusal(scene.dryRun.error);
      const exists = folders.some((view) => view.rule.id === rule.id);
      replaceRules(
        exists
          ? folders.map((view) => (view.rule.id === rule.id ? { ...view, rule } : view))
          : [...folders, makeWatched(rule, { state: 'looking' })],
      );
      return folders;
    },
    'watch.remove': async (id) => replaceRules(folders.filter(({ rule }) => rule.id !== id)),
    'watch.setOn': async ({ id, isOn }) => {
      replaceRules(
        folders.map((view) =>
          view.rule.id === id
            ? { ...view, rule: { ...view.rule, on: isOn }, state: isOn ? 'watching' : 'paused' }
            : view,
        ),
      );
    },
    'watch.dryRun': async () => {
      if (!scene.dryRun.ok) throw new Refusal(scene.dryRun.error);
      const { inspection } = scene;
      if (inspection) setTimeout(() => tellLooked(inspection));
      return scene.dryRun.value;
    },
    'watch.leaveDryRun': async () => {},
    'watch.sources': async (id) => sources.get(id) ?? [],
    'watch.act': async ({ id, path, action }) => {
      refuseWith(actError);
      const waitingPart = {
        ...answeredPart('make-all'),
        state: 'waiting',
        error: null,
        actions: [],
      } as const;
      changeSource(id, path, action === 'leave-it' ? answeredPart('leave-all') : waitingPart);
    },
    'watch.answer': async ({ id, answer }) => {
      refuseWith(actError);
      const heldSources = (sources.get(id) ?? []).filter(({ state }) => state === 'held');
      for (const { path } of heldSources) changeSource(id, path, answeredPart(answer));
      replaceRules(
        folders.map((view) => (view.rule.id === id ? { ...view, question: null } : view)),
        [id],
      );
    },
    'watch.activity': async () => scene.activity,
    'watch.exportReceipts': async ({ format }) => `/home/mara/receipts.${format}`,
  };

  return {
    handlers,
    move() {
      for (const [id, list] of sources) {
        const settling = list.find(({ state }) => state === 'settling');
        if (settling)
          changeSource(id, settling.path, { files: settling.files + 3, bytes: settling.bytes + 42e6 });
      }
    },
  };
}
