import type { SilenceMatch } from '#contract/desk/alerts.ts';
import { hasUnseen, NO_UNSEEN } from '#contract/desk/unseen.ts';
import { describeMistakes, VenueFailure } from '#server/core/venue-failure.ts';
import type { RuleStore, StoredSilence } from './rule-store.ts';
import type { Rule } from '#contract/desk/rules.ts';
import { SILENT_MS } from '#model/exchange-outage.ts';
import type { ExchangeContact } from '#model/rules/readings.ts';
import type { AlertBoard, CurrentAlert } from './alert-board.ts';
import { topicsOf } from './rule-topics.ts';

export interface SilenceRegistry {
  readonly all: () => readonly StoredSilence[];
  /** Adds one silence for each match. */
  readonly add: (silences: {
    readonly matches: readonly SilenceMatch[];
    readonly until: number;
    readonly note: string;
    readonly by: string;
  }) => Promise<readonly StoredSilence[]>;
  /** Ends a silence and returns it. One that the caller may not end is treated as nonexistent. */
  readonly end: (id: string, mayEnd: (silence: StoredSilence) => boolean) => Promise<StoredSilence>;
  /** Those that have ended by their time. */
  readonly over: () => readonly StoredSilence[];
  readonly drop: (silences: readonly StoredSilence[]) => Promise<void>;
  readonly reload: () => Promise<void>;
}

const MOST_SILENCES = 500;
const LONGEST_NOTE = 1_000;
/** A shorter silence would end before anyone could look. A request takes a moment to arrive. */
const SHORTEST_SILENCE_MS = 55_000;

export function createSilenceRegistry(
  store: Pick<RuleStore, 'silences' | 'putSilences' | 'dropSilences'>,
  stored: readonly StoredSilence[],
  ports: { readonly now: () => number; readonly newId: () => string },
): SilenceRegistry {
  let silences = [...stored];
  const drop: SilenceRegistry['drop'] = async (ended) => {
    const ids = ended.map(({ id }) => id);
    await store.dropSilences(ids);
    silences = silences.filter(({ id }) => !ids.includes(id));
  };
  return {
    all: () => silences,
    over: () => silences.filter(({ until }) => until <= ports.now()),
    drop,
    add: async ({ matches, until, note, by }) => {
      const at = ports.now();
      if (!(until - at >= SHORTEST_SILENCE_MS)) throw toMistake('until', 'must be at least a minute from now');
      if (matches.length === 0) throw toMistake('matches', 'must contain at least one');
      if (silences.length + matches.length > MOST_SILENCES)
        throw toMistake('matches', `must not make more than ${String(MOST_SILENCES)} silences`);
      const added = matches.map((match) => ({ id: ports.newId(), match, until, by, at, note: toNote(note) }));
      await store.putSilences(added);
      silences = [...silences, ...added];
      return added;
    },
    end: async (id, mayEnd) => {
      const found = silences.find((silence) => silence.id === id && mayEnd(silence));
      if (found === undefined)
        throw new VenueFailure({ type: 'bad-parameter', detail: `There is no silence "${id}".`, parameter: 'id' });
      await drop([found]);
      return found;
    },
    reload: async () => {
      silences = [...(await store.silences())];
    },
  };
}

export function toNote(note: string): string {
  if (note.length > LONGEST_NOTE) throw toMistake('note', `must be ${String(LONGEST_NOTE)} characters at most`);
  if (hasUnseen(note)) throw toMistake('note', NO_UNSEEN);
  return note;
}

export function toMistake(field: string, detail: string): VenueFailure {
  return new VenueFailure({
    type: 'bad-body',
    detail: describeMistakes(1, `$.${field}`),
    errors: [{ path: `$.${field}`, detail }],
  });
}

/** Returns until when an alert is silenced; null if it is not. */
export function findSilence(
  silences: readonly StoredSilence[],
  { rule, group: subject }: Pick<CurrentAlert, 'rule' | 'group'>,
  now: number,
): number | null {
  const matching = silences.filter(
    ({ match, until }) =>
      until > now &&
      isAs(match.rule_id, rule.id) &&
      isAs(match.group, subject) &&
      isAs(match.severity, rule.severity) &&
      (groupsOf(match)?.has(subject) ?? true),
  );
  return matching.length === 0 ? null : Math.max(...matching.map(({ until }) => until));
}

/** Kept, because many alerts are compared with a silence of many. */
const groupSets = new WeakMap<SilenceMatch, ReadonlySet<string>>();

function groupsOf(match: SilenceMatch): ReadonlySet<string> | null {
  if (match.groups === undefined) return null;
  const known = groupSets.get(match) ?? new Set(match.groups);
  groupSets.set(match, known);
  return known;
}

function isAs(wanted: string | undefined, found: string): boolean {
  return wanted === undefined || wanted === found;
}

/**
 * Returns the rules that hold, even if they do not fire yet, because alerts that they explain must not be notified
 * first.
 */
export function listHolding(rules: readonly Rule[], { of }: Pick<AlertBoard, 'of'>): readonly Rule[] {
  return rules.filter(({ id }) => of(id).some(({ state: { status } }) => status === 'firing' || status === 'pending'));
}

/** Returns the rule that explains why another one holds: an outage then causes one notification, not forty. */
export function findInhibitor(rule: Rule, holding: readonly Rule[]): Rule | null {
  return holding.find((cause) => cause.id !== rule.id && speaksFor(cause, rule)) ?? null;
}

/** A rule that notifies nobody must not keep another one from it. */
function speaksFor(cause: Rule, rule: Rule): boolean {
  return explains(cause, rule) && (cause.channels.length > 0 || rule.channels.length === 0);
}

/** Names what a rule that explains others is about. */
export function nameCause({ measure }: Rule): string {
  if (measure === 'venue_away') return 'exchange unreachable';
  return measure === 'journal_gap' ? 'gap in the journal' : 'data out of date';
}

/** The time after an outage in which everything that rules need is read again. */
const AFTER_OUTAGE_MS = 60_000;
const MOST_OUTAGES = 50;

/** Decides whether an outage may still explain missing data, so that no notification is sent about them. */
export interface OutageWait {
  readonly note: (reading: { readonly away: string | null; readonly contact: ExchangeContact }, now: number) => void;
  /** `enabled`: all enabled rules. */
  readonly isWaiting: (alert: Pick<CurrentAlert, 'rule' | 'state'>, enabled: readonly Rule[], now: number) => boolean;
}

export function createOutageWait(): OutageWait {
  let contact: ExchangeContact = { isInDoubt: false, lastResponseAt: null };
  let isAway = false;
  /** When outages ended, oldest first. */
  let ends: readonly number[] = [];
  return {
    note: (reading, now) => {
      if (isAway && reading.away === null) ends = [...ends, now].slice(-MOST_OUTAGES);
      [contact, isAway] = [reading.contact, reading.away !== null];
    },
    isWaiting: ({ rule, state: { status, since } }, enabled, now) => {
      if (status !== 'no data' || !enabled.some((cause) => isAboutOutage(cause) && speaksFor(cause, rule)))
        return false;
      const { isInDoubt, lastResponseAt } = contact;
      const isUnproven = (lastResponseAt === null || lastResponseAt < since) && now - since < SILENT_MS;
      // Only the first outage since then counts, so that recurring outages do not delay a notification forever.
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

/** Two of these rules must not silence each other. */
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
