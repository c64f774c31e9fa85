import type { Inspector } from '../../inspect/session/inspector.ts';
import type { AddedJob } from '../../jobs/add-once.ts';
import type { JobSnapshot, NewJob } from '../../jobs/model.ts';
import type { Asset } from '../../service/model.ts';
import type { Greeting } from '../../socket/protocol.ts';
import type { Cli } from '../cli.ts';
import type { Followed, FollowOptions } from './follow.ts';

/** Who carries out the uploads of one call: this process, or the Tilelift that holds the journal. */
export interface Uploader {
  readonly inspector: Pick<Inspector, 'decide' | 'surveyDecided' | 'pathsOf'>;
  readonly accountId: string;
  /** Whom the uploads are handed over to; null where this process does them. */
  readonly owner: Greeting | null;
  /** Those terrains of the account that have this name. */
  terrainsCalled(name: string): Promise<readonly Asset[]>;
  /** The job is in the journal then. Throws what is wrong with it. */
  add(job: NewJob, again: boolean): Promise<AddedJob>;
  /** As `followJob`. */
  follow(job: JobSnapshot, options: FollowOptions): Promise<Followed>;
  /** This process stops all work; what was handed over continues. */
  close(): Promise<void>;
}

/** Where an upload was handed over to, as the JSON lines and results tell it. */
export function ownerFacts({ owner }: Pick<Uploader, 'owner'>) {
  return owner ? { handedOverTo: { owner: owner.owner, version: owner.version, pid: owner.pid } } : {};
}

/** How to name a job to `tilelift jobs`, in the same home folder. */
export function jobsCall(cli: Pick<Cli, 'common'>, action: string, job: Pick<JobSnapshot, 'id'>): string {
  const { home } = cli.common();
  const at = home === undefined ? '' : ` --home ${quoted(home)}`;
  return `tilelift jobs ${action} ${job.id.slice(0, 8)}${at}`;
}

const quoted = (text: string) => (/^[\w./:\\-]+$/.test(text) ? text : JSON.stringify(text));
