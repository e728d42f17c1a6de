import type { AlertAct, SilenceMatch } from '#contract/desk/alerts.ts';
import type { Rule } from '#contract/desk/rules.ts';
import { countOf, nameSome } from '#model/format/count.ts';
import { formatInstant } from '#model/format/format-time.ts';
import { NO_EVIDENCE } from '#model/rules/readings.ts';
import { toInstant } from '#server/core/to-instant.ts';
import { type AlertBoard, type CurrentAlert, joinBody, toAlertFields, toEvidenceText } from './alert-board.ts';
import type { AlertState } from './alert-state.ts';
import type { AcknowledgeLinks } from '../notifications/acknowledge-links.ts';
import { toShownStatus } from './describe-alerts.ts';
import { type SilenceRegistry, toMistake, toNote } from './muting.ts';
import { type Author, mayUseRule, mayUseSilence, type RuleRegistry } from './rule-registry.ts';
import type { RuleStore, StoredAlertChange, StoredSilence } from './rule-store.ts';

interface AlertName {
  readonly rule_id: string;
  readonly group: string;
}

/** What people do with alerts. Only the leader may call these, and not during a round. */
export interface AlertActs {
  /** These return how many alerts changed: not those that are over, or that their author may not see. */
  readonly acknowledge: (
    alerts: readonly AlertName[],
    acknowledgement: {
      readonly note: string;
      readonly assignee?: string | undefined;
      /** That of a notification about the alert, which then is the only one. */
      readonly link?: string | undefined;
    },
    author: Author,
  ) => Promise<{ readonly count: number; readonly channel?: string }>;
  readonly endAcknowledgements: (alerts: readonly AlertName[], author: Author) => Promise<number>;
  readonly note: (alerts: readonly AlertName[], text: string, author: Author) => Promise<number>;
  readonly silence: (
    silences: { readonly matches: readonly SilenceMatch[]; readonly until: number; readonly note: string },
    author: Author,
  ) => Promise<readonly StoredSilence[]>;
  readonly endSilence: (id: string, author: Author) => Promise<void>;
  /** Ends the silences whose time is over. */
  readonly endOver: () => Promise<void>;
}

export interface ActDeps {
  readonly board: AlertBoard;
  readonly rules: Pick<RuleRegistry, 'all'>;
  readonly silences: SilenceRegistry;
  readonly write: RuleStore['write'];
  readonly now: () => number;
  /** Writes what the last round has left unwritten, so that it cannot replace what people do. */
  readonly settle: () => Promise<void>;
  /** Called with each silence that ended by its time. */
  readonly onSilenceOver: (silence: StoredSilence) => void;
  readonly links: Pick<AcknowledgeLinks, 'channelOf'>;
}

/** Of one alert; older ones are dropped. */
const MOST_NOTES = 50;
const MOST_ALERTS = 10_000;
const LONGEST_ASSIGNEE = 100;

export function createAlertActs(deps: ActDeps): AlertActs {
  const { board, rules, silences, write, now, settle, onSilenceOver, links } = deps;
  const find = (names: readonly AlertName[], { scope }: Author): readonly CurrentAlert[] => {
    if (names.length > MOST_ALERTS) throw toMistake('alerts', `must be ${String(MOST_ALERTS)} at most`);
    const found = names.flatMap(({ rule_id: ruleId, group: subject }) => board.find(ruleId, subject) ?? []);
    return [...new Set(found)].filter(
      ({ rule, state }) => state.status !== 'resolved' && state.status !== 'data again' && mayUseRule(scope, rule),
    );
  };
  /** Returns the channel of the notification whose link led to the alert; throws if it is about another one. */
  const findChannel = (link: string, [alert, ...others]: readonly CurrentAlert[]): string | undefined => {
    if (alert === undefined) return undefined;
    const { rule, group: subject, state } = alert;
    const about = { ruleId: rule.id, group: subject, startedAt: state.startedAt ?? state.since };
    const channel = others.length === 0 ? links.channelOf(link, about) : null;
    if (channel === null)
      throw toMistake('link', 'must be that of a notification about this alert, not an earlier one');
    return channel;
  };
  /** Changes the alerts, and records that in the history: once for each rule, whatever the number of its alerts. */
  const change = async (
    findAlerts: () => readonly CurrentAlert[],
    toState: (state: AlertState) => AlertState,
    toEvent: (alert: CurrentAlert) => Event,
  ): Promise<number> => {
    await settle();
    const alerts = findAlerts();
    const changed = alerts.map((alert) => ({ ...alert, state: toState(alert.state) }));
    const events = Map.groupBy(alerts, (alert) => JSON.stringify([alert.rule.id, toEvent(alert).act]));
    const changes = [...events.values()].flatMap((own) => toChange(own, toEvent, board, now()));
    if (changed.length > 0) await write(changed, changes);
    for (const alert of changed) board.set(alert, alert.state);
    return changed.length;
  };
  const recordSilence = (silence: StoredSilence, act: AlertAct, by: string): Promise<void> =>
    write([], [toSilenceChange(silence, { act, by, note: silence.note }, rules.all(), now())]);

  return {
    acknowledge: async (names, { note, assignee = '', link }, author) => {
      const by = author.name;
      if (assignee.length > LONGEST_ASSIGNEE)
        throw toMistake('assignee', `must be ${String(LONGEST_ASSIGNEE)} characters at most`);
      const acknowledged = { by, at: now(), note: toNote(note), assignee: toNote(assignee.trim()) || by };
      let through: { readonly channel?: string } = {};
      const count = await change(
        () => {
          const found = find(names, author);
          const channel = link === undefined ? undefined : findChannel(link, found);
          if (channel !== undefined) through = { channel };
          return found;
        },
        (state) => ({ ...state, acknowledged }),
        ({ state }) => ({
          act: state.acknowledged === null ? 'acknowledged' : 'handed over',
          by,
          note: acknowledged.assignee === by ? note : [`To ${acknowledged.assignee}.`, note].join(' ').trim(),
          ...through,
        }),
      );
      return { count, ...through };
    },
    endAcknowledgements: (names, author) =>
      change(
        () => find(names, author).filter(({ state }) => state.acknowledged !== null),
        (state) => ({ ...state, acknowledged: null }),
        () => ({ act: 'acknowledgement ended', by: author.name, note: '' }),
      ),
    note: (names, given, { name: by, ...author }) => {
      const text = toNote(given.trim());
      if (text === '') throw toMistake('note', 'must not be empty');
      return change(
        () => find(names, { name: by, ...author }),
        (state) => ({ ...state, notes: [...(state.notes ?? []), { by, at: now(), text }].slice(-MOST_NOTES) }),
        () => ({ act: 'note', by, note: text }),
      );
    },
    silence: async (given, { name: by, scope }) => {
      if (!given.matches.every((match) => mayUseSilence(scope, { match }, rules.all())))
        throw toMistake('matches', 'must each name a rule that you may see');
      const added = await silences.add({ ...given, by });
      await write(
        [],
        added.map((silence) =>
          toSilenceChange(silence, { act: 'silenced', by, note: silence.note }, rules.all(), now()),
        ),
      );
      return added;
    },
    endSilence: async (id, { name, scope }) => {
      const ended = await silences.end(id, (silence) => mayUseSilence(scope, silence, rules.all()));
      await recordSilence(ended, 'silence ended', name);
    },
    endOver: async () => {
      for (const silence of silences.over()) {
        await recordSilence(silence, 'silence ended', '');
        await silences.drop([silence]);
        onSilenceOver(silence);
      }
    },
  };
}

interface Event {
  readonly act: AlertAct;
  readonly by: string;
  readonly note: string;
  /** The channel of the notification whose link led to it. */
  readonly channel?: string;
}

/** Returns the change of the alerts of one rule. */
function toChange(
  alerts: readonly CurrentAlert[],
  toEvent: (alert: CurrentAlert) => Event,
  board: Pick<AlertBoard, 'of'>,
  now: number,
): readonly StoredAlertChange[] {
  const [first] = alerts;
  if (first === undefined) return [];
  const names = nameSome(alerts.map(({ group: subject }) => subject));
  const many = `${first.rule.name}, ${countOf(alerts.length, 'alert')}: ${names}.`;
  const { act, ...done } = toEvent(first);
  const fields = {
    at: toInstant(now),
    ...toAlertFields(first, toShownStatus(first), board.of, now),
    ...(alerts.length > 1 && { group: '', value: null, unit: null, sentence: many }),
    ...{ state: act, ...done },
  };
  return [{ ruleId: first.rule.id, body: joinBody(fields, NOTHING) }];
}

const NOTHING = toEvidenceText(NO_EVIDENCE, JSON.stringify);

function toSilenceChange(
  { match, until }: StoredSilence,
  { act, by, note }: Event,
  rules: readonly Rule[],
  now: number,
): StoredAlertChange {
  const rule = rules.find(({ id }) => id === match.rule_id);
  const what = nameMatch(match, rule);
  const sentence = act === 'silenced' ? `${what}: silenced until ${formatInstant(until, 'utc')}.` : `${what}.`;
  const fields = {
    at: toInstant(now),
    rule_id: match.rule_id ?? '',
    rule_name: rule?.name ?? '',
    severity: rule?.severity ?? match.severity ?? 'info',
    group: match.group ?? '',
    ...{ value: null, unit: null, sentence, state: act, started_at: null, by, note },
  };
  return { ruleId: match.rule_id ?? '', body: joinBody(fields, NOTHING) };
}

function nameMatch({ severity, group: subject = '', groups }: SilenceMatch, rule: Rule | undefined): string {
  return [
    rule?.name ?? 'All alerts',
    ...(severity === undefined ? [] : [`severity ${severity}`]),
    ...(subject === '' ? [] : [subject]),
    ...(groups === undefined ? [] : [countOf(groups.length, 'alert')]),
  ].join(', ');
}
