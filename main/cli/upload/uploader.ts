import type { Inspector } from '../../inspect/session/inspector.ts';
import type { AddedJob } from '../../jobs/add-once.ts';
import type { JobSnapshot, NewJob } from '../../jobs/model.ts';
import type { Asset } from '../../service/model.ts';
import type { Greeting } from '../../socket/protocol.ts';
import type { Cli } from '../cli.ts';
import type { FollowOptions, FollowResult } from './follow.ts';

/** Uploads in this process or through the one that holds the journal. */
export interface Uploader {
  readonly inspector: Pick<Inspector, 'decide' | 'scanDecided' | 'pathsOf'>;
  readonly accountId: string;
  /** Null if it is this process. */
  readonly owner: Greeting | null;
  terrainsCalled(name: string): Promise<readonly Asset[]>;
  /** The newest jobs of the journal. */
  jobs(): Promise<readonly JobSnapshot[]>;
  /** Throws the job's error. */
  add(job: NewJob, allowRepeat: boolean): Promise<AddedJob>;
  follow(job: JobSnapshot, options: FollowOptions): Promise<FollowResult>;
  /** Submitted jobs continue. */
  close(): Promise<void>;
}

/** Facts about the owner for JSON lines. */
export function ownerFacts({ owner }: Pick<Uploader, 'owner'>) {
  return owner ? { handedOverTo: { owner: owner.owner, version: owner.version, pid: owner.pid } } : {};
}

/** Returns a command line with the same home folder. */
export function jobsCall(cli: Pick<Cli, 'common'>, action: string, job: Pick<JobSnapshot, 'id'>): string {
  const { home } = cli.common();
  const homeOption = home === undefined ? '' : ` --home ${quoted(home)}`;
  return `tilelift jobs ${action} ${job.id.slice(0, 8)}${homeOption}`;
}

const quoted = (text: string) => (/^[\w./:\\-]+$/.test(text) ? text : JSON.stringify(text));
