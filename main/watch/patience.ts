import { giveUp } from '../hanging-work.ts';

/** What came of it, or undefined when nothing did within `ms`: a dead file server answers nothing for minutes. Rejects as `asked` does. */
export async function withPatience<T>(asked: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  let answered = false;
  const answer = asked.finally(() => {
    answered = true;
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    if (!answered) giveUp(answer);
  }
}
