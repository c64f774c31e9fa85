import type { Contender } from './contenders/contender.ts';
import type { RaceResult, RaceStanding } from './race.ts';

/** Ours compared to another contender. Above 1 is better; for processor time, below 1 is better. */
export interface Ratios {
  /** Their time ÷ ours, from start to end of the process. */
  readonly speed: number;
  /** Their time ÷ ours, from the first byte to the last answer. */
  readonly wireSpeed: number;
  readonly cpu: number | null;
}

export interface Comparison {
  readonly ratios: Readonly<Record<string, Ratios>>;
  /** The fastest peer from start to end, with or without a checksum. */
  readonly bestPeer: string | null;
  /** The fastest peer with a checksum, which is the reference of the targets. */
  readonly bestCheckedPeer: string | null;
  readonly ceiling: string | null;
}

/** Compares ours with all others of one race. */
export function compare({ standings }: RaceResult, contenders: readonly Contender[]): Comparison {
  const ourContender = contenders.find(({ role }) => role === 'ours');
  const ourStanding = ourContender && standings.get(ourContender.name);
  const ratios: Record<string, Ratios> = {};
  for (const [name, otherStanding] of standings) {
    if (ourStanding && name !== ourContender.name) ratios[name] = ratiosOf(ourStanding, otherStanding);
  }
  const finishedContenders = contenders.filter(({ name }) => name in ratios);
  const peers = finishedContenders.filter(({ role }) => role === 'peer');
  return {
    ratios,
    bestPeer: fastest(peers, standings),
    bestCheckedPeer: fastest(
      peers.filter(({ sendsChecksum }) => sendsChecksum),
      standings,
    ),
    ceiling: finishedContenders.find(({ role }) => role === 'ceiling')?.name ?? null,
  };
}

function ratiosOf(ourStanding: RaceStanding, otherStanding: RaceStanding): Ratios {
  const ownCpu = ourStanding.clientCpuSecondsPerGiB;
  const otherCpu = otherStanding.clientCpuSecondsPerGiB;
  return {
    speed: otherStanding.wallSeconds / ourStanding.wallSeconds,
    wireSpeed: otherStanding.wireSeconds / ourStanding.wireSeconds,
    cpu: ownCpu === null || otherCpu === null ? null : ownCpu / otherCpu,
  };
}

function fastest(contenders: readonly Contender[], standings: RaceResult['standings']): string | null {
  const seconds = ({ name }: Contender) => standings.get(name)?.wallSeconds ?? Number.POSITIVE_INFINITY;
  return contenders.toSorted((a, b) => seconds(a) - seconds(b))[0]?.name ?? null;
}
