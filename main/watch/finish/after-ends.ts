import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Said } from '../../../strings/phrase.ts';
import { errorPhrase } from '../../../strings/said-error.ts';
import { withinOrAbandon } from '../../abandoned-work.ts';
import { toErrorRecord, toTileliftError } from '../../errors.ts';
import { createQueries } from '../../jobs/journal/database.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../ports.ts';
import { type Program, type Programs, refuseReplaceableProgram, runProgram } from '../../run-program.ts';
import { doubledMs } from '../../service/backoff.ts';
import { waitLimits } from '../../service/wait-limits.ts';
import type { SettingsView } from '../../settings-port.ts';
import { WorkLine } from '../../work-line.ts';
import type { WatchEnd, WatchService } from '../model/model.ts';
import type { WatchRule } from '../model/rule.ts';
import { openFolders } from '../model/rule.ts';
import { nameOf, readable } from '../model/source-names.ts';
import type { Ledger } from '../state/ledger/ledger.ts';
import { pathOfSource, receiptPlace, receiptText, writeReceipt } from './receipt.ts';

interface AfterSurroundings {
  readonly database: DatabaseSync;
  readonly journalPath: string;
  readonly ledger: Pick<Ledger, 'ofJob' | 'receiptOf'>;
  readonly settings: SettingsView<{
    readonly watchRules: readonly WatchRule[];
    readonly programs: Readonly<Record<string, Programs>>;
  }>;
  readonly watch: Pick<WatchService, 'onEnd' | 'onChange' | 'writeActivity'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly timing?: AfterTiming;
}

interface AfterTiming {
  /** Time limit of a program, ms. */
  readonly programMs: number;
  /** First retry delay, ms; doubles each time. */
  readonly retryMs: number;
}

const defaultTiming: AfterTiming = { programMs: 10 * 60_000, retryMs: 60_000 };
/** Limit of interrupted runs. */
const maxProgramTries = 3;
const maxReceiptTries = 12;
/** How long `stop` waits for an unresponsive share, ms. */
const stopPatienceMs = 3_000;

/** Receipt files and programs after the end of sources: at least once each, even across kills. */
export interface AfterEnds {
  kick(): void;
  stop(): Promise<void>;
}

/** Handles ends of sources from the first `kick` on. */
export function createAfterEnds(options: AfterSurroundings): AfterEnds {
  const { settings, watch, ledger, log, clock, timing = defaultTiming } = options;
  const { writeActivity } = watch;
  const journal = createAfterJournal(options.database, options.journalPath);
  const stopping = new AbortController();
  const { signal } = stopping;
  /** By rule, so that an unresponsive share only delays its own receipts; programs share one line. */
  const work = new WorkLine();
  const underWay = new Set<number>();
  const retryAfter = new Map<number, number>();
  let timer: NodeJS.Timeout | undefined;
  let hasKick = false;

  const ruleOf = (id: string) => settings.get().watchRules.find((rule) => rule.id === id);

  function programOf({ ruleId, outcome }: Pick<WatchEnd, 'ruleId' | 'outcome'>): Program | null | undefined {
    const programs = settings.get().programs[ruleId];
    return outcome === 'complete' ? programs?.success : programs?.failure;
  }

  function startDueTasks(): void {
    hasKick = false;
    if (signal.aborted) return;
    let soonest = Number.POSITIVE_INFINITY;
    const due = journal.due();
    for (const task of due) {
      if (underWay.has(task.seq)) continue;
      if (ledger.ofJob(task.jobId)?.state === 'taken') continue;
      const remainingMs = (retryAfter.get(task.seq) ?? 0) - clock.elapsed();
      if (remainingMs > 0) {
        soonest = Math.min(soonest, remainingMs);
        continue;
      }
      // Its receipt comes first.
      const isAwaited = ({ kind, jobId, tries, seq }: AfterTask) =>
        kind === 'receipt' && jobId === task.jobId && (tries === 0 || underWay.has(seq));
      if (task.kind === 'program' && due.some(isAwaited)) continue;
      begin(task);
    }
    clearTimeout(timer);
    if (soonest < Number.POSITIVE_INFINITY) timer = setTimeout(kick, Math.max(1, soonest));
  }

  function begin(task: AfterTask): void {
    const line = task.kind === 'program' ? 'programs' : task.ruleId;
    underWay.add(task.seq);
    const act = task.kind === 'program' ? runTaskProgram : writeTaskReceipt;
    void work
      .run(() => (signal.aborted ? undefined : act(task)), line)
      .catch((error) => {
        retryAfter.set(task.seq, clock.elapsed() + timing.retryMs);
        if (!signal.aborted)
          log.error(
            { error: toErrorRecord(toTileliftError(error)) },
            'what follows an end could not be done',
          );
      })
      .finally(() => {
        underWay.delete(task.seq);
        kick();
      });
  }

  async function writeTaskReceipt(task: AfterTask): Promise<void> {
    const rule = ruleOf(task.ruleId);
    const receipt = ledger.receiptOf(task.jobId);
    const place = rule && receiptPlace(rule, entryOf(task), task.jobId);
    if (!rule || !receipt || !place) return journal.done(task);
    journal.began(task);
    try {
      await writeReceipt(rule, place, receiptText(receipt));
      journal.done(task);
      retryAfter.delete(task.seq);
    } catch (cause) {
      const error = toErrorRecord(cause);
      log.warn({ ruleId: rule.id, error }, 'a receipt could not be written');
      if (task.tries === 0) writeActivity(rule.id, errorPhrase(error));
      if (task.tries + 1 >= maxReceiptTries) return journal.done(task);
      retryAfter.set(
        task.seq,
        clock.elapsed() +
          doubledMs(task.tries + 1, { firstMs: timing.retryMs, maxMs: waitLimits.watchedRetry }),
      );
    }
  }

  async function runTaskProgram(task: AfterTask): Promise<void> {
    const rule = ruleOf(task.ruleId);
    const program = programOf(task);
    if (!rule || !program) return journal.done(task);
    const values = { program: readable(basename(program.file)), name: nameOf(rule, task.source) };
    if (task.tries >= maxProgramTries) {
      writeActivity(rule.id, { key: 'sources.program.left', values });
      return journal.done(task);
    }
    const entry = entryOf(task);
    const place = receiptPlace(rule, entry, task.jobId);
    const receipt = ledger.receiptOf(task.jobId);
    journal.began(task);
    try {
      await refuseReplaceableProgram(program, settings.get().watchRules.flatMap(openFolders));
      const end = await runProgram(
        program,
        {
          assetId: receipt?.assetId ?? null,
          source: pathOfSource(rule, entry),
          receipt: place && join(place.folder, place.name),
          outcome: receipt?.outcome ?? task.outcome,
        },
        { limitMs: timing.programMs, signal },
      );
      log.info(
        { ruleId: rule.id, exitCode: end.exitCode, timedOut: end.timedOut, output: end.output },
        'a program has ended',
      );
      const phrases: Said[] = [
        end.exitCode === null
          ? { key: end.timedOut ? 'sources.program.tooLong' : 'sources.program.ended', values }
          : { key: 'sources.program.exit', values: { ...values, code: end.exitCode } },
      ];
      const output = readable(end.output.trim()).slice(0, shownInActivity);
      if (output !== '') phrases.push({ key: 'sources.program.wrote', values: { output } });
      writeActivity(rule.id, ...phrases);
    } catch (cause) {
      // The next start runs it again.
      if (signal.aborted) return;
      const error = toErrorRecord(toTileliftError(cause));
      log.warn({ ruleId: rule.id, error }, 'a program could not be run');
      writeActivity(rule.id, errorPhrase(error));
    }
    journal.done(task);
  }

  /** A newer job may have taken over the source's row. */
  function entryOf({ jobId, source }: AfterTask): { readonly path: string; readonly movedTo: string | null } {
    return ledger.ofJob(jobId) ?? { path: source, movedTo: null };
  }

  function kick(): void {
    if (hasKick || signal.aborted) return;
    hasKick = true;
    setImmediate(() => {
      try {
        startDueTasks();
      } catch (error) {
        log.error(
          { error: toErrorRecord(toTileliftError(error)) },
          'tasks of ended sources could not be started',
        );
      }
    });
  }

  function recordEnd(end: WatchEnd): void {
    const rule = ruleOf(end.ruleId);
    if (!rule || end.jobId === null) return;
    const kinds = [
      ...(rule.receiptFile.kind === 'none' ? [] : (['receipt'] as const)),
      ...(programOf(end) ? (['program'] as const) : []),
    ];
    if (kinds.length > 0) journal.add(end, kinds);
  }

  watch.onEnd(recordEnd);
  watch.onChange(kick);
  return {
    kick,
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await withinOrAbandon(work.settled(), stopPatienceMs);
    },
  };
}

const shownInActivity = 300;

/** A pending task of an ended source. */
type AfterTask = Readonly<z.infer<typeof afterTask>>;

const afterTask = z.object({
  ...{ seq: z.number(), kind: z.enum(['receipt', 'program']), ruleId: z.string(), jobId: z.string() },
  ...{ source: z.string(), outcome: z.enum(['complete', 'failed']), tries: z.number() },
});

/** A kill between a task and the ledger row repeats an end, which is ignored for this long. */
const rememberMs = 90 * 24 * 3_600_000;

/** Tasks of ended sources, kept across kills until done. Throws `journal-full`, `journal-unusable`. */
function createAfterJournal(database: DatabaseSync, path: string) {
  const { read, run, transaction } = createQueries(database, path);
  return {
    /** Ignores known ends. */
    add: ({ jobId, ruleId, source, outcome, endedAt }: WatchEnd, kinds: readonly AfterTask['kind'][]) =>
      transaction(() => {
        if (jobId === null) return;
        for (const kind of kinds)
          run(
            `INSERT INTO after_ends (kind, rule_id, job_id, source, outcome, ended_at, tries, done)
             VALUES (?, ?, ?, ?, ?, ?, 0, 0) ON CONFLICT DO NOTHING`,
            ...[kind, ruleId, jobId, source, outcome, endedAt],
          );
        run('DELETE FROM after_ends WHERE done = 1 AND ended_at < ?', endedAt - rememberMs);
      }),
    /** Oldest first. */
    due: () =>
      read(
        afterTask,
        `SELECT seq, kind, rule_id AS ruleId, job_id AS jobId, source, outcome, tries FROM after_ends
         WHERE done = 0 ORDER BY seq`,
      ),
    /** Called before the start, so that the try also counts after a kill. */
    began: ({ seq }: AfterTask) =>
      transaction(() => run('UPDATE after_ends SET tries = tries + 1 WHERE seq = ?', seq)),
    done: ({ seq }: AfterTask) => transaction(() => run('UPDATE after_ends SET done = 1 WHERE seq = ?', seq)),
  };
}
