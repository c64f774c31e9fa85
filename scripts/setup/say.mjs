/** Prints a line about the set-up on standard error, so that standard output stays for results. @param {string} text */
export function say(text) {
  process.stderr.write(`${text}\n`);
}
