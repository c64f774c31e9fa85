import type { RequestName } from './requests.ts';
import type { Stage } from './stage.ts';

/** A request and the state in which it is sent. */
export interface Situation {
  readonly request: RequestName;
  readonly state: string;
  /** Tilelift's behaviour during such responses, for docs/reference/answers.md. */
  readonly meanwhile: string;
  /** No other case may run at the same time, because its request has no distinct path. */
  readonly alone: boolean;
  /**
   * Triggers the stage's foreign response and checks the behaviour. Throws `Failed` if the case can't
   * continue.
   */
  readonly play: (stage: Stage) => Promise<void>;
}
