import type { ErrorRecord } from '../../preload/contract.ts';
import { errorViewOf } from '../api.ts';
import { errorMessage } from '../say.ts';

interface Notice {
  readonly id: number;
  readonly error: ErrorRecord | null;
  readonly text: string;
  /** Something of what it tells went wrong. */
  readonly warns?: boolean;
  /** What its button does; absent for none. */
  readonly offer?: Offer;
}

/** A way back or on, for as long as a notice stands. */
export interface Offer {
  readonly word: string;
  readonly take: () => void;
}

const shortMs = 4000;
/** Long enough to notice a mistake and to get there. */
const offerMs = 12_000;

/** Small messages at the foot of the window: what a click did, or why it could not. */
export class Notices {
  list: readonly Notice[] = $state.raw([]);
  #nextId = 1;

  /** Goes by itself. */
  say(text: string): void {
    const id = this.#add({ error: null, text });
    setTimeout(() => this.dismiss(id), shortMs);
  }

  /** Goes by itself, later: it holds a way back. */
  offer(text: string, offer: Offer): void {
    const id = this.#add({ error: null, text, offer });
    setTimeout(() => this.dismiss(id), offerMs);
  }

  /** Stays until it is dismissed or taken: nobody may be there when it comes. */
  keep(text: string, offer: Offer, warns = false): void {
    this.#add({ error: null, text, offer, warns });
  }

  /** Stays until it is dismissed. */
  fail(thrown: unknown): void {
    const error = errorViewOf(thrown);
    this.#add({ error, text: errorMessage(error) });
  }

  dismiss(id: number): void {
    this.list = this.list.filter((notice) => notice.id !== id);
  }

  /** Runs what a click asked for and shows its error, since a click has nobody else to tell. */
  async attempt(work: () => Promise<unknown>, done?: string): Promise<void> {
    try {
      await work();
      if (done !== undefined) this.say(done);
    } catch (thrown) {
      this.fail(thrown);
    }
  }

  #add(notice: Omit<Notice, 'id'>): number {
    const id = this.#nextId++;
    this.list = [...this.list.filter((shown) => shown.text !== notice.text), { ...notice, id }].slice(-3);
    return id;
  }
}
