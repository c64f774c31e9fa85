import type { EmbeddedService } from '../../test/service/model.ts';
import type { EndedLine, EngineLine, JobLine } from './engine.ts';
import { Engine } from './engine.ts';
import { meetStrangers } from './foreign.ts';
import { hasCome, type Incident, type Trouble } from './incidents.ts';
import type { Chance } from './random.ts';
import type { Kill } from './resent.ts';
import { carriedBy } from './resent.ts';
import type { Source } from './sources.ts';
import type { ChaosStore } from './stores/store.ts';

/** An upload of one source, with its incidents. */
export interface Run {
  /** Name of the asset, unique among runs. */
  readonly name: string;
  readonly source: Source;
  readonly incidents: readonly Incident[];
}

export interface RoundOptions {
  readonly service: EmbeddedService;
  readonly folder: string;
  readonly vaultKey: string;
  readonly say: (text: string) => void;
  /** Random choice of foreign responses; null: none. */
  readonly strangers: Chance | null;
  readonly store: ChaosStore;
}

interface RoundResult {
  readonly ended: ReadonlyMap<string, EndedLine>;
  readonly kills: readonly Kill[];
  readonly faults: number;
  /** Indices of requests undone by something other than a kill. */
  readonly blameless: ReadonlySet<number>;
}

/** A queue of runs. The engine is killed and restarted until all have ended. */
export class Round {
  readonly #runs: readonly Run[];
  readonly #options: RoundOptions;
  readonly #waiting: Map<string, Incident[]>;
  readonly #ended = new Map<string, EndedLine>();
  readonly #kills: Kill[] = [];
  readonly #blameless = new Set<number>();
  readonly #seen = new Set<string>();
  #faults = 0;
  /** Most parts in flight that this process reported. */
  #lanes = 0;
  #engine: Engine | null = null;
  #pending: NodeJS.Timeout | null = null;
  #troubles: Promise<void>[] = [];
  #failure: unknown = null;

  constructor(runs: readonly Run[], options: RoundOptions) {
    this.#runs = runs;
    this.#options = options;
    this.#waiting = new Map(runs.map(({ name, incidents }) => [name, [...incidents]]));
  }

  /** Throws an error if the engine exits before its work is done. */
  async play(): Promise<RoundResult> {
    const { service, folder, vaultKey } = this.#options;
    const orders = this.#runs.map(({ name, source }) => ({ name, path: source.path }));
    const input = { folder, baseUrl: service.baseUrl, authUrl: service.authUrl, orders };
    for (;;) {
      const before = this.#kills.length;
      this.#lanes = 0;
      this.#engine = new Engine(input, vaultKey, (line) => this.#hear(line));
      const done = await this.#engine.gone;
      if (this.#pending) clearTimeout(this.#pending);
      this.#pending = null;
      if (this.#failure) throw this.#failure;
      if (done) break;
      if (this.#kills.length === before) throw new Error('the engine ended by itself');
    }
    await Promise.all(this.#troubles);
    return { ended: this.#ended, kills: this.#kills, faults: this.#faults, blameless: this.#blameless };
  }

  #hear(line: EngineLine): void {
    if (line.kind === 'ended') this.#ended.set(line.name, line);
    if (line.kind !== 'job') return;
    this.#lanes = Math.max(this.#lanes, line.lanes);
    this.#meetStrangers(line);
    this.#options.store.meet(line);
    if (this.#pending) return;
    const waiting = this.#waiting.get(line.name);
    const [incident] = waiting ?? [];
    if (!waiting || !incident || !hasCome(incident.moment, line)) return;
    this.#pending = setTimeout(() => {
      this.#pending = null;
      if (incident.strike === 'kill') {
        if (!this.#kill(line)) return;
      } else this.#trouble(incident.strike(line.status), line);
      waiting.shift();
    }, incident.moment.delayMs);
  }

  #meetStrangers({ name, status }: JobLine): void {
    const moment = `${name} ${status}`;
    if (this.#seen.has(moment)) return;
    this.#seen.add(moment);
    const { service, strangers } = this.#options;
    if (strangers) meetStrangers(service.control, status, strangers);
  }

  /** The requests are examined after the round, because recorded responses don't change. */
  #kill(line: JobLine): boolean {
    if (!this.#engine?.kill()) return false;
    this.#kills.push({ at: Date.now(), lanes: this.#lanes });
    this.#options.say(`  killed     ${where(line)}`);
    return true;
  }

  #trouble(trouble: Trouble, line: JobLine): void {
    const { control } = this.#options.service;
    this.#faults += 1;
    this.#options.say(`  fault      ${where(line)}: ${trouble.name}`);
    const damage = {
      partLost: (key: string, number: number) => {
        const lost = carriedBy(`/${key}?partNumber=${number}`);
        this.#excuse((request) => carriedBy(request.path).endsWith(lost) && request.status === 200);
      },
      connectionsDropped: () => this.#excuse(({ status }) => status === 0),
    };
    this.#troubles.push(
      trouble.bring(control, damage).catch((error: unknown) => {
        this.#failure = error;
        this.#engine?.kill();
      }),
    );
  }

  #excuse(fits: (request: { readonly path: string; readonly status: number }) => boolean): void {
    for (const [index, request] of this.#options.service.control.requests().entries()) {
      if (fits(request)) this.#blameless.add(index);
    }
  }
}

function where({ name, status, bytesDone, bytesTotal }: JobLine): string {
  const share =
    status === 'uploading' ? ` at ${Math.floor((100 * bytesDone) / Math.max(1, bytesTotal ?? 0))} %` : '';
  return `${name}, ${status}${share}`;
}
