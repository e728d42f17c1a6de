import type { Rule } from '#contract/desk/rules.ts';
import { SILENT_MS } from '#model/exchange-outage.ts';
import type { ExchangeContact } from '#model/rules/readings.ts';
import type { AlertBoard } from './alert-board.ts';
import type { LiveAlert } from './alert-events.ts';
import type { StoredSilence } from './rule-store.ts';
import { topicsOf } from './rule-topics.ts';

/** Until when nobody is called for an alert; null: it is not silenced. */
export function findSilence(
  silences: readonly StoredSilence[],
  { rule, group }: Pick<LiveAlert, 'rule' | 'group'>,
  now: number,
): number | null {
  const matching = silences.filter(
    ({ match, until }) =>
      until > now && isAs(match.rule_id, rule.id) && isAs(match.group, group) && isAs(match.severity, rule.severity),
  );
  return matching.length === 0 ? null : Math.max(...matching.map(({ until }) => until));
}

function isAs(wanted: string | undefined, found: string): boolean {
  return wanted === undefined || wanted === found;
}

/** Rules that hold, also where they do not fire yet: what they explain must not be called first. */
export function listHolding(rules: readonly Rule[], { of }: Pick<AlertBoard, 'of'>): readonly Rule[] {
  return rules.filter(({ id }) => of(id).some(({ state: { status } }) => status === 'firing' || status === 'pending'));
}

/** The rule that explains why another says what it says, or nothing: a blind desk is one call, not forty. */
export function findInhibitor(rule: Rule, holding: readonly Rule[]): Rule | null {
  return holding.find((cause) => cause.id !== rule.id && explains(cause, rule)) ?? null;
}

/** What a rule that explains others is about. */
export function nameCause({ measure }: Rule): string {
  if (measure === 'venue_away') return 'exchange unreachable';
  return measure === 'journal_gap' ? 'gap in the journal' : 'data out of date';
}

/** For so long after an outage, all that rules need is read again. */
const AFTER_OUTAGE_MS = 60_000;
const MOST_OUTAGES = 50;

/** Whether an outage may yet explain that there are no data, so that nobody is called for these. */
export interface OutageWait {
  readonly note: (reading: { readonly away: string | null; readonly contact: ExchangeContact }, now: number) => void;
  /** `enabled`: all rules that are on. */
  readonly isWaiting: (alert: Pick<LiveAlert, 'rule' | 'state'>, enabled: readonly Rule[], now: number) => boolean;
}

export function createOutageWait(): OutageWait {
  let contact: ExchangeContact = { isInDoubt: false, lastAnswerAt: null };
  let isAway = false;
  /** When outages ended, the latest last. */
  let ends: readonly number[] = [];
  return {
    note: (reading, now) => {
      if (isAway && reading.away === null) ends = [...ends, now].slice(-MOST_OUTAGES);
      [contact, isAway] = [reading.contact, reading.away !== null];
    },
    isWaiting: ({ rule, state: { status, since } }, enabled, now) => {
      if (status !== 'no data' || !enabled.some((cause) => isAboutOutage(cause) && explains(cause, rule))) return false;
      const { isInDoubt, lastAnswerAt } = contact;
      const isUnproven = (lastAnswerAt === null || lastAnswerAt < since) && now - since < SILENT_MS;
      // Only after the first one since then: where outages come and go, nobody waits for ever.
      const end = ends.find((at) => at >= since);
      return isInDoubt || isUnproven || (end !== undefined && now - end < AFTER_OUTAGE_MS);
    },
  };
}

function explains(cause: Rule, rule: Rule): boolean {
  if (cause.about !== 'desk') return false;
  switch (cause.measure) {
    case 'venue_away':
      return isAboutExchange(rule) && !isAboutOutage(rule);
    case 'data_age':
      return (
        topicsOf(rule).some(({ key }) => topicsOf(cause).some((topic) => topic.key === key)) && !isAboutBlindness(rule)
      );
    case 'journal_gap':
      return rule.about === 'activity';
    case 'incomplete':
    case 'drift':
    case 'budget_left':
      return false;
  }
}

function isAboutOutage(rule: Rule): boolean {
  return rule.about === 'desk' && rule.measure === 'venue_away';
}

/** Two of these must not silence each other. */
function isAboutBlindness(rule: Rule): boolean {
  return isAboutOutage(rule) || (rule.about === 'desk' && rule.measure === 'data_age');
}

function isAboutExchange(rule: Rule): boolean {
  return (
    rule.about !== 'desk' ||
    rule.measure === 'data_age' ||
    rule.measure === 'incomplete' ||
    rule.measure === 'journal_gap'
  );
}
