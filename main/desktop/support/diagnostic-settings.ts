import { createHash } from 'node:crypto';
import type { Settings } from '../../settings.ts';
import type { WatchRule } from '../../watch/rule.ts';

/** Shorter names are words that stand in any text. */
const shortestName = 4;

/** The settings as support needs them: no name that a person has given, no path of theirs. Rules keep a mark by which the log can be read beside them. */
export function diagnosticSettings(settings: Settings): object {
  const { watchRules, lastChoices, network, confirmedPairs, alerts, programs, heldByPolicy, ...others } =
    settings;
  return {
    ...others,
    network: { caFile: network.caFile === null ? null : 'set' },
    lastChoices: Object.keys(lastChoices).length,
    confirmedPairs: confirmedPairs.length,
    alerts: {
      mail: alerts.mail === null ? null : { port: alerts.mail.port, security: alerts.mail.security },
      webhook: alerts.webhook === null ? null : 'set',
      heartbeat: alerts.heartbeat === null ? null : alerts.heartbeat.minutes,
    },
    programs: Object.keys(programs).length,
    heldByPolicy: heldByPolicy.length,
    watchRules: watchRules.map(ruleFacts),
  };
}

/** Takes the names, folders and targets of the rules out of a text, the log's lines among them. */
export function withoutRules(text: string, rules: readonly WatchRule[]): string {
  const words = rules.flatMap((rule) =>
    [rule.folder, ...targetsOf(rule), rule.name, rule.namePattern]
      .filter((word) => word.length >= shortestName)
      .map((word) => ({ word, mark: `[rule ${markOf(rule.id)}]` })),
  );
  // The longest first: a folder may lie in another.
  words.sort((one, other) => other.word.length - one.word.length);
  return words.reduce(
    // In the log a path stands as JSON has it.
    (so, { word, mark }) => so.replaceAll(word, mark).replaceAll(JSON.stringify(word).slice(1, -1), mark),
    text,
  );
}

/** A rule without what names the person's data. */
function ruleFacts(rule: WatchRule): object {
  const { id, on, unit, assetType, sourceType, clampToTerrain, settleSeconds, shared, ignore, alerts } = rule;
  const { whenChanged, whenTooLong, whenExpired, afterSuccess, afterFailure } = rule;
  return {
    mark: markOf(id),
    ...{ on, assetType, sourceType, clampToTerrain, settleSeconds, shared, alerts },
    ...{ whenChanged, whenTooLong, whenExpired },
    unit: unit.kind,
    patterns: 'patterns' in unit ? unit.patterns.length : 0,
    ignore: ignore.length,
    afterSuccess: afterSuccess.kind,
    afterFailure: afterFailure.kind,
    receiptFile: rule.receiptFile.kind,
  };
}

const targetsOf = ({ afterSuccess, afterFailure, receiptFile }: WatchRule) =>
  [afterSuccess, afterFailure, receiptFile].flatMap((place) => ('folder' in place ? [place.folder] : []));

function markOf(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 8);
}
