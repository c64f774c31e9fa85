import type { ErrorRecord } from '../../preload/contract.ts';
import { errorViewOf } from '../api.ts';
import { errorMessage } from '../say.ts';

interface Notice {
  readonly id: number;
  readonly error: ErrorRecord | null;
  readonly text: string;
  readonly warns?: boolean;
  readonly offer?: Offer;
}

export interface Offer {
  readonly word: string;
  readonly take: () => void;
}

const shortMs = 4000;
/** Time to notice a mistake and to reach the button. */
const offerMs = 12_000;

/** Short messages at the foot of the window: a click's result or error. */
export class Notices {
  list: readonly Notice[] = $state.raw([]);
  #nextId = 1;

  /** Disappears by itself. */
  say(text: string): void {
    const id = this.#add({ error: null, text });
    setTimeout(() => this.dismiss(id), shortMs);
  }

  /** Disappears by itself, later because of its button. */
  offer(text: string, offer: Offer): void {
    const id = this.#add({ error: null, text, offer });
    setTimeout(() => this.dismiss(id), offerMs);
  }

  /** Stays until dismissed or used: the person may be away. */
  keep(text: string, offer: Offer, warns = false): void {
    this.#add({ error: null, text, offer, warns });
  }

  fail(thrown: unknown): void {
    const error = errorViewOf(thrown);
    this.#add({ error, text: errorMessage(error) });
  }

  dismiss(id: number): void {
    this.list = this.list.filter((notice) => notice.id !== id);
  }

  /** Runs a click's work and shows its error. */
  async attempt(work: () => Promise<unknown>, done?: string): Promise<void> {
    try {
      await work();
      if (done !== undefined) this.say(done);
    } catch (error) {
      this.fail(error);
    }
  }

  #add(notice: Omit<Notice, 'id'>): number {
    const id = this.#nextId++;
    this.list = [...this.list.filter((item) => item.text !== notice.text), { ...notice, id }].slice(-3);
    return id;
  }
}
