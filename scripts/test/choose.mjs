/**
 * The stages to run: all of a named gate, and as single stages the steps whose names begin with a given name.
 * An exact step name only selects that step.
 * @template {{ readonly name: string }} Step
 * @param {Readonly<Record<string, readonly (readonly (readonly Step[])[])[]>>} gates stages by name; lanes
 * run at the same time
 * @param {readonly string[]} names
 * @returns {readonly (readonly (readonly Step[])[])[]}
 */
export function choose(gates, names) {
  const inGates = names.flatMap((name) => gates[name] ?? []);
  const all = Object.values(gates).flat(3);
  const steps = [...new Map(all.map((step) => [step.name, step])).values()];
  const others = names.filter((name) => !(name in gates));
  const isChosen = (/** @type {string} */ step, /** @type {string} */ name) =>
    steps.some((other) => other.name === name) ? step === name : step.startsWith(name);
  const single = steps.filter((step) => others.some((name) => isChosen(step.name, name)));
  return [...inGates, ...single.map((step) => [[step]])];
}
