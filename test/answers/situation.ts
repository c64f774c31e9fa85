import type { RequestName } from './requests.ts';
import type { Stage } from './stage.ts';

/** A request, and the state in which it is sent. */
export interface Situation {
  readonly request: RequestName;
  readonly state: string;
  /** What happens while such answers come, for docs/reference/answers.md. */
  readonly meanwhile: string;
  /** Its request can't be told apart by its path, so no other case may be played beside it. */
  readonly alone: boolean;
  /**
   * Has the request meet the stage's foreign answer, and holds what follows against what must. Throws
   * `Failed` where nothing can continue.
   */
  readonly play: (stage: Stage) => Promise<void>;
}
