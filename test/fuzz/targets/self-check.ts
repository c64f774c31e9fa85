import { Escape, type Target } from '../target.ts';

/** A target with faults that the run's own test must find. */
export const selfCheck: Target = {
  name: 'self-check',
  seeds: ['fine'],
  run: (input) => {
    const asked = input.toString();
    if (asked === 'crash') throw new Error('asked to crash');
    if (asked === 'escape') throw new Escape('asked to escape');
    if (asked === 'end') process.exit(1);
    if (asked === 'late')
      for (const before = process.threadCpuUsage(); process.threadCpuUsage(before).user < 1_500_000; );
    if (asked === 'hang') for (;;);
    return asked;
  },
};
