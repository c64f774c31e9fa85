/**
 * Plays steps, each begun in its turn. One that is light, so that it keeps about one core busy, may run
 * beside another light one; any other runs alone. Resolves when all have ended.
 * @template {{ name: string, light?: boolean, after?: readonly string[] }} Step `after`: names of steps that
 *   have to have ended before
 * @param {readonly Step[]} steps
 * @param {(step: Step) => Promise<void>} play
 * @param {number} most at once
 */
export async function sideBySide(steps, play, most) {
  /** @type {Map<Step, Promise<unknown>>} */
  const running = new Map();
  const fits = (/** @type {Step} */ step) => {
    const others = [...running.keys()];
    if (others.length === 0) return true;
    const allLight = [step, ...others].every(({ light }) => light);
    return allLight && others.length < most && !others.some(({ name }) => step.after?.includes(name));
  };
  for (const step of steps) {
    while (!fits(step)) await Promise.race(running.values());
    running.set(
      step,
      play(step).finally(() => running.delete(step)),
    );
  }
  await Promise.all(running.values());
}
