import { hasOption } from '../../../shared/kinds.ts';
import { furtherOptions } from '../../service/creation-options.ts';

/** Of further options, as text, those that fit the kind. */
export function fittingOptions(options: string, sourceType: string): string {
  const fitting = Object.entries(furtherOptions(options)).filter(([name]) => hasOption(sourceType, name));
  return JSON.stringify(Object.fromEntries(fitting));
}
