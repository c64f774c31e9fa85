import type { Phrase } from '../strings/phrase.ts';
import type { Key } from '../strings/say.ts';
import type { PressStep, Scenario, ShownScenario, Step } from './scenario.ts';

type Values = Phrase['values'];
const namedPhrase = (key: Key, values: Values): Phrase => (values ? { key, values } : { key });

/** A state, after these steps. */
export const showScenario = (scenario: () => Scenario, ...steps: readonly Step[]): ShownScenario => ({
  scenario,
  steps,
});

/** Presses a control by its name. */
export const press = (control: PressStep['press'], key: Key, values?: Values): PressStep => ({
  press: control,
  named: namedPhrase(key, values),
});

export const button = (key: Key, values?: Values): PressStep => press('button', key, values);

/** The control's name continues, with a value or a detail. */
export const beginning = (step: PressStep): PressStep => ({ ...step, begins: true });

/** Fills in the field of this label. */
export const typeInto = (text: string, label: Key): Step => ({ type: text, into: { key: label } });

export const scrollTo = (key: Key, values?: Values): Step => ({ scrollTo: namedPhrase(key, values) });
