/** Set-up of tests: one that requested a sleep beyond the limits of waits fails. */
import { afterEach, expect } from 'vitest';
import { takeTooLong } from './wait-check.ts';

afterEach(() => expect(takeTooLong()).toEqual([]));
