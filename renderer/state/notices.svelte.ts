import type { ErrorRecord } from '../../preload/contract.ts';
import { errorViewOf } from '../api.ts';
import { errorMessage } from '../say.ts';

interface Notice {
  readonly id: number;
  readonly error: ErrorRecord | null;
  readonly text: string;
  readonly warns?: boolean;
  readonly offer?: NoticeOffer;
  /** Replaces the notice about the same. */
  readonly about?: string;
}

export interface NoticeOffer {
  readonly word: string;
  readonly take: () => void;
}

const shortMs = 8_000;
/** Time to notice a mistake and to reach the button. */
const offerMs = 12_000;
/** Advice takes longer to read. */
const errorMs = 20_000;

/** Short messages in a corner of the window that disappear by themselves: a click's result or error. */
export class Notices {
  list: readonly Notice[] = $state.raw([]);
  #nextId = 1;
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>();

  say(text: string): void {
    this.#add({ error: null, text });
  }

  offer(
    text: string,
    offer: NoticeOffer,
    { warns = false, about: subjectId }: Pick<Notice, 'warns' | 'about'> = {},
  ): void {
    this.#add({ error: null, text, offer, warns, ...(subjectId === undefined ? {} : { about: subjectId }) });
  }

  fail(thrown: unknown): void {
    const error = errorViewOf(thrown);
    this.#add({ error, text: errorMessage(error) });
  }

  shows(subjectId: string): boolean {
    return this.list.some((notice) => notice.about === subjectId);
  }

  dismiss(id: number): void {
    this.hold(id);
    this.list = this.list.filter((notice) => notice.id !== id);
  }

  /** Keeps a notice while the pointer or the focus is on it. */
  hold(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  release(id: number): void {
    this.hold(id);
    const notice = this.list.find((item) => item.id === id);
    if (!notice) return;
    const ms = notice.error ? errorMs : notice.offer ? offerMs : shortMs;
    this.#timers.set(
      id,
      setTimeout(() => this.dismiss(id), ms),
    );
  }

  /** Runs a click's work and shows its error. */
  async attempt(work: () => Promise<unknown>, doneText?: string): Promise<void> {
    try {
      await work();
      if (doneText !== undefined) this.say(doneText);
    } catch (error) {
      this.fail(error);
    }
  }

  #add(notice: Omit<Notice, 'id'>): void {
    const id = this.#nextId++;
    const isReplaced = ({ text, about: subjectId }: Notice) =>
      text === notice.text || (subjectId !== undefined && subjectId === notice.about);
    for (const item of this.list) if (isReplaced(item)) this.dismiss(item.id);
    // Few, so that they cover little.
    for (const item of this.list.slice(0, -1)) this.dismiss(item.id);
    this.list = [...this.list, { ...notice, id }];
    this.release(id);
  }
}
