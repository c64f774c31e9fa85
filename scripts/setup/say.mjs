/** Prints a line about the set-up on standard error: standard output is for results. @param {string} text */
export function say(text) {
  process.stderr.write(`${text}\n`);
}
