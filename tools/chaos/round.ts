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
  readonly endedJobs: ReadonlyMap<string, EndedLine>;
  readonly kills: readonly Kill[];
  readonly faults: number;
  /** Indices of requests undone by something other than a kill. */
  readonly blameless: ReadonlySet<number>;
}

/** A queue of runs. The engine is killed and restarted until all have ended. */
export class ChaosRound {
  readonly #runs: readonly Run[];
  readonly #options: RoundOptions;
  readonly #waitingIncidents: Map<string, Incident[]>;
  readonly #endedJobs = new Map<string, EndedLine>();
  readonly #kills: Kill[] = [];
  readonly #blameless = new Set<number>();
  readonly #seenNames = new Set<string>();
  #faults = 0;
  /** Most parts in flight that this process reported. */
  #lanes = 0;
  #engine: Engine | null = null;
  #pendingTimer: NodeJS.Timeout | null = null;
  #runningTroubles: Promise<void>[] = [];
  #failure: unknown = null;

  constructor(runs: readonly Run[], options: RoundOptions) {
    this.#runs = runs;
    this.#options = options;
    this.#waitingIncidents = new Map(runs.map(({ name, incidents }) => [name, [...incidents]]));
  }

  /** Throws an error if the engine exits before its work is done. */
  async play(): Promise<RoundResult> {
    const { service, folder, vaultKey } = this.#options;
    const orders = this.#runs.map(({ name, source }) => ({ name, path: source.path }));
    const input = { folder, baseUrl: service.baseUrl, authUrl: service.authUrl, orders };
    for (;;) {
      const killsBefore = this.#kills.length;
      this.#lanes = 0;
      this.#engine = new Engine(input, vaultKey, (line) => this.#hear(line));
      const hasExited = await this.#engine.gone;
      if (this.#pendingTimer) clearTimeout(this.#pendingTimer);
      this.#pendingTimer = null;
      if (this.#failure) throw this.#failure;
      if (hasExited) break;
      if (this.#kills.length === killsBefore) throw new Error('the engine ended by itself');
    }
    await Promise.all(this.#runningTroubles);
    return {
      endedJobs: this.#endedJobs,
      kills: this.#kills,
      faults: this.#faults,
      blameless: this.#blameless,
    };
  }

  #hear(line: EngineLine): void {
    if (line.kind === 'ended') this.#endedJobs.set(line.name, line);
    if (line.kind !== 'job') return;
    this.#lanes = Math.max(this.#lanes, line.lanes);
    this.#meetStrangers(line);
    this.#options.store.meet(line);
    if (this.#pendingTimer) return;
    const jobIncidents = this.#waitingIncidents.get(line.name);
    const [incident] = jobIncidents ?? [];
    if (!jobIncidents || !incident || !hasCome(incident.moment, line)) return;
    this.#pendingTimer = setTimeout(() => {
      this.#pendingTimer = null;
      if (incident.strike === 'kill') {
        if (!this.#kill(line)) return;
      } else this.#trouble(incident.strike(line.status), line);
      jobIncidents.shift();
    }, incident.moment.delayMs);
  }

  #meetStrangers({ name, status }: JobLine): void {
    const moment = `${name} ${status}`;
    if (this.#seenNames.has(moment)) return;
    this.#seenNames.add(moment);
    const { service, strangers } = this.#options;
    if (strangers) meetStrangers(service.control, status, strangers);
  }

  /** The requests are examined after the round, because recorded responses don't change. */
  #kill(line: JobLine): boolean {
    if (!this.#engine?.kill()) return false;
    this.#kills.push({ at: Date.now(), lanes: this.#lanes });
    this.#options.say(`  killed     ${placeText(line)}`);
    return true;
  }

  #trouble(trouble: Trouble, line: JobLine): void {
    const { control } = this.#options.service;
    this.#faults += 1;
    this.#options.say(`  fault      ${placeText(line)}: ${trouble.name}`);
    const damage = {
      partLost: (key: string, number: number) => {
        const lostPart = carriedBy(`/${key}?partNumber=${number}`);
        this.#excuse((request) => carriedBy(request.path).endsWith(lostPart) && request.status === 200);
      },
      connectionsDropped: () => this.#excuse(({ status }) => status === 0),
    };
    this.#runningTroubles.push(
      trouble.bring(control, damage).catch((error: unknown) => {
        this.#failure = error;
        this.#engine?.kill();
      }),
    );
  }

  #excuse(isMatch: (request: { readonly path: string; readonly status: number }) => boolean): void {
    for (const [index, request] of this.#options.service.control.requests().entries()) {
      if (isMatch(request)) this.#blameless.add(index);
    }
  }
}

function placeText({ name, status, bytesDone, bytesTotal }: JobLine): string {
  const shareText =
    status === 'uploading' ? ` at ${Math.floor((100 * bytesDone) / Math.max(1, bytesTotal ?? 0))} %` : '';
  return `${name}, ${status}${shareText}`;
}
