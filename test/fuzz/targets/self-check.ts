import { Escape, type Target } from '../target.ts';

/** A target with faults that the run's own test must find. */
export const selfCheck: Target = {
  name: 'self-check',
  seeds: ['fine'],
  run: (input) => {
    const behaviour = input.toString();
    if (behaviour === 'crash') throw new Error('asked to crash');
    if (behaviour === 'escape') throw new Escape('asked to escape');
    if (behaviour === 'end') process.exit(1);
    if (behaviour === 'late')
      for (
        const startUsage = process.threadCpuUsage();
        process.threadCpuUsage(startUsage).user < 1_500_000;
      );
    if (behaviour === 'hang') for (;;);
    return behaviour;
  },
};
