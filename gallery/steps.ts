import type { Phrase } from '../strings/phrase.ts';
import type { Key } from '../strings/say.ts';
import type { Press, Scenario, Shown, Step } from './scenario.ts';

type Values = Phrase['values'];
const named = (key: Key, values: Values): Phrase => (values ? { key, values } : { key });

/** A state, after these steps. */
export const shown = (scenario: () => Scenario, ...steps: readonly Step[]): Shown => ({ scenario, steps });

/** Presses a control by its name. */
export const press = (control: Press['press'], key: Key, values?: Values): Press => ({
  press: control,
  named: named(key, values),
});

export const button = (key: Key, values?: Values): Press => press('button', key, values);

/** The control's name continues, with a value or a detail. */
export const begins = (step: Press): Press => ({ ...step, begins: true });

/** Fills in the field of this label. */
export const typed = (text: string, label: Key): Step => ({ type: text, into: { key: label } });

export const scrollTo = (key: Key, values?: Values): Step => ({ scrollTo: named(key, values) });
