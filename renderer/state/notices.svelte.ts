import type { ErrorRecord } from '../../preload/contract.ts';
import { errorViewOf } from '../api.ts';
import { errorMessage } from '../say.ts';

interface Notice {
  readonly id: number;
  readonly error: ErrorRecord | null;
  readonly text: string;
}

const shortMs = 4000;

/** Small messages at the foot of the window: what a click did, or why it could not. */
export class Notices {
  list: readonly Notice[] = $state.raw([]);
  #nextId = 1;

  /** Goes by itself. */
  say(text: string): void {
    const id = this.#add({ error: null, text });
    setTimeout(() => this.dismiss(id), shortMs);
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
