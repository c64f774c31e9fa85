import type { Contender } from './contenders/contender.ts';
import type { Race, Standing } from './race.ts';

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
export function compare({ standings }: Race, contenders: readonly Contender[]): Comparison {
  const our = contenders.find(({ role }) => role === 'ours');
  const own = our && standings.get(our.name);
  const ratios: Record<string, Ratios> = {};
  for (const [name, other] of standings) {
    if (own && name !== our.name) ratios[name] = ratiosOf(own, other);
  }
  const ran = contenders.filter(({ name }) => name in ratios);
  const peers = ran.filter(({ role }) => role === 'peer');
  return {
    ratios,
    bestPeer: fastest(peers, standings),
    bestCheckedPeer: fastest(
      peers.filter(({ sendsChecksum }) => sendsChecksum),
      standings,
    ),
    ceiling: ran.find(({ role }) => role === 'ceiling')?.name ?? null,
  };
}

function ratiosOf(own: Standing, other: Standing): Ratios {
  const ownCpu = own.clientCpuSecondsPerGiB;
  const otherCpu = other.clientCpuSecondsPerGiB;
  return {
    speed: other.wallSeconds / own.wallSeconds,
    wireSpeed: other.wireSeconds / own.wireSeconds,
    cpu: ownCpu === null || otherCpu === null ? null : ownCpu / otherCpu,
  };
}

function fastest(contenders: readonly Contender[], standings: Race['standings']): string | null {
  const seconds = ({ name }: Contender) => standings.get(name)?.wallSeconds ?? Number.POSITIVE_INFINITY;
  return contenders.toSorted((a, b) => seconds(a) - seconds(b))[0]?.name ?? null;
}
