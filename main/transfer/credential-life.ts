import type { Clock } from '../outside.ts';

/** Clocks and "about one hour" are not exact: a refusal this close to the end of life is taken for the end. */
const marginMs = 60_000;

/**
 * The known life of a transfer's credentials. Its end is carried in time that never jumps from the moment the transfer begins; the wall clock
 * bridges restarts.
 *
 * The known end ends nothing by itself. It decides only what a refusal by storage means that may stand for expired credentials. Where storage is not
 * heard after it, the transfer goes on waiting: who knows whether the credentials are really over, and a person may cancel at any time.
 */
export class CredentialLife {
  readonly #clock: Pick<Clock, 'elapsed'>;
  /** By `Clock.elapsed`. */
  readonly #endsAt: number;

  /** `endsAt`: by the wall clock, ms since the epoch. */
  constructor(clock: Clock, endsAt: number) {
    this.#clock = clock;
    this.#endsAt = clock.elapsed() + (endsAt - clock.now());
  }

  /** The known end has come, or is less than a minute away. */
  get over(): boolean {
    return this.#clock.elapsed() >= this.#endsAt - marginMs;
  }
}
