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
  const allSteps = Object.values(gates).flat(3);
  const steps = [...new Map(allSteps.map((step) => [step.name, step])).values()];
  const stepNames = names.filter((name) => !(name in gates));
  const isChosen = (/** @type {string} */ step, /** @type {string} */ name) =>
    steps.some((otherStep) => otherStep.name === name) ? step === name : step.startsWith(name);
  const singleSteps = steps.filter((step) => stepNames.some((name) => isChosen(step.name, name)));
  return [...inGates, ...singleSteps.map((step) => [[step]])];
}
