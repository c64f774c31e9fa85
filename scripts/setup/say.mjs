/** Prints a line about the set-up to stderr, because stdout is for results. @param {string} text */
export function say(text) {
  process.stderr.write(`${text}\n`);
}
