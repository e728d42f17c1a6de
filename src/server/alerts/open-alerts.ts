import type { RuleTrial, SilenceMatch } from '#contract/desk/alerts.ts';
import type { Rule } from '#contract/desk/rules.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { describeReading } from '#model/rules/describe-rule.ts';
import { describeRule } from '#model/rules/rule-sentence.ts';
import { evaluate } from '#model/rules/evaluate.ts';
import { type Evaluation, isMissing } from '#model/rules/readings.ts';
import type { Watched } from '#model/rules/alert-summary.ts';
import { describeMistakes, VenueFailure } from '#server/core/venue-failure.ts';
import type { JournalRoom } from '#server/journal/open-journal-room.ts';
import type { ServerPorts, Payer } from '#server/core/ports.ts';
import { toInstant, toInstantOrNull } from '#server/core/to-instant.ts';
import type { Pairs } from '#server/core/order-rows.ts';
import type { SealedCursors } from '#server/core/sealed-texts.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { describeAlerts, describeHistory, describeRuleChanges, describeSilence } from './rules/describe-alerts.ts';
import { openRulesRoom, type RulesRoom, type RulesRoomDeps } from './rules/open-rules-room.ts';
import { ExpressionFailure } from './rules/order-tests.ts';
import { checkBody, checkScope, mayUseRule, mayUseSilence } from './rules/rule-registry.ts';
import { watchedOf } from './rules/rule-engine.ts';
import { findTrialObstacle, type Trial, tryOnJournal } from './rules/try-rule.ts';
import type { Changes } from '#server/core/topics.ts';
import {
  type NotificationRoomDeps,
  type Notifications,
  openNotificationRoom,
} from './notifications/open-notification-room.ts';
import { createChannelTest } from './notifications/describe-notifications.ts';

interface ResponderDeps {
  readonly now: () => number;
  readonly cursors: SealedCursors;
}

/** Creates the responders to the contract's endpoints of rules and alerts. They return JSON. */
function createRuleResponders(room: RulesRoom, { now, cursors }: ResponderDeps) {
  return {
    rules: (_: Pairs, { scope }: Viewer) =>
      Promise.resolve(JSON.stringify({ rules: room.rules.all().filter((rule) => mayUseRule(scope, rule)) })),
    ruleChanges: (_: Pairs, { scope }: Viewer) => describeRuleChanges(room, scope),
    alerts: (_: Pairs, { scope }: Viewer) =>
      Promise.resolve(
        describeAlerts({
          board: room.board,
          rules: room.rules.all(),
          silences: room.silences.all(),
          evaluates: room.evaluates(),
          evaluatedAt: room.watch.evaluatedAt(),
          textOf: room.data.textOf,
          now: now(),
          scope,
        }),
      ),
    alertHistory: (query: Pairs, viewer: Viewer) => describeHistory({ ...room, cursors }, query, viewer),
  };
}

interface ActionDeps extends Pick<ServerPorts, 'now' | 'elapsed' | 'schedule'> {
  readonly journal: Pick<JournalRoom, 'reader' | 'state'>;
  /** The base symbols of all perpetuals; null if they cannot be read now. */
  readonly perpetuals: (payer: Payer) => Promise<ReadonlySet<string> | null>;
}

interface Input<Body> {
  readonly body: Body;
  readonly query: Readonly<Record<string, string>>;
  readonly context: { readonly viewer: Viewer };
}

/** Creates the performers of the contract's actions on rules, alerts and silences. */
function createRulePerformers(room: RulesRoom, deps: ActionDeps) {
  const done = (count: number) => {
    room.wake();
    return { count };
  };
  const checkNew = createPerpetualCheck(room, deps);
  const putAll = async (rules: readonly Rule[], path: (index: number) => string, author: Viewer) => {
    await checkNew(rules, path, author);
    return done((await room.rules.put(rules, path, author)).length);
  };
  return {
    putRule: async ({
      body: { rule, before },
      context: { viewer },
    }: Input<{ readonly rule: Rule; readonly before?: Rule | null }>) => {
      const path = () => '$.rule';
      if (before === undefined) return putAll([rule], path, viewer);
      await checkNew([rule], path, viewer);
      return done((await room.rules.replace(rule, before, '$.rule', viewer)).length);
    },
    importRules: ({ body: { rules }, context: { viewer } }: Input<{ readonly rules: readonly Rule[] }>) =>
      putAll(rules, (index) => `$.rules[${String(index)}]`, viewer),
    deleteRule: async ({ query, context: { viewer } }: Input<null>) =>
      done((await room.rules.remove(query['id'] ?? '', viewer)).length),
    tryRule: async ({ body, context: { viewer } }: Input<{ readonly rule: Rule; readonly from?: Instant }>) => {
      await checkNew([body.rule], () => '$.rule', viewer);
      return tryRule(room, deps, body, viewer);
    },
    acknowledgeAlert: async ({
      body: { rule_id: ruleId, group: subject, note },
      context: { viewer },
    }: Input<{ readonly rule_id: string; readonly group: string; readonly note: string }>) => {
      if (!(await room.acknowledge(ruleId, subject, note, viewer)))
        throw toFailure('There is no such alert: it may be over.', '$.rule_id', 'must be that of an alert');
      return { count: 1 };
    },
    silenceAlerts: async ({
      body: { match, until, note },
      context: { viewer },
    }: Input<{ readonly match: SilenceMatch; readonly until: Instant; readonly note: string }>) => {
      if (!mayUseSilence(viewer.scope, { match }, room.rules.all()))
        throw toFailure(
          'This silence is too wide: name one of your rules.',
          '$.match.rule_id',
          'must be that of a rule that you may see',
        );
      const silence = await room.silences.add({ match, until: Date.parse(until), note, by: viewer.name });
      room.wake();
      return describeSilence(silence);
    },
    endSilence: async ({ query, context: { viewer } }: Input<null>) => {
      const id = query['id'] ?? '';
      await room.silences.end(id, (silence) => mayUseSilence(viewer.scope, silence, room.rules.all()));
      return done(1);
    },
  };
}

function toFailure(detail: string, path: string, mistake: string): VenueFailure {
  return new VenueFailure({ type: 'bad-body', detail, errors: [{ path, detail: mistake }] });
}

/**
 * Rejects new rules about perpetuals that do not exist, because each would be requested again and again. Symbols that a
 * saved rule already uses are accepted, since their perpetual may have been delisted.
 */
function createPerpetualCheck({ rules }: Pick<RulesRoom, 'rules'>, { perpetuals }: Pick<ActionDeps, 'perpetuals'>) {
  return async (given: readonly Rule[], path: (index: number) => string, { payer }: Viewer): Promise<void> => {
    const known = new Set(
      rules
        .all()
        .flatMap(baseSymbolsOf)
        .map(([, symbol]) => symbol),
    );
    const asked = checkBody(given, path).flatMap((rule, index) =>
      baseSymbolsOf(rule)
        .filter(([, symbol]) => !known.has(symbol))
        .map(([field, symbol]) => ({ path: `${path(index)}.${field}`, symbol })),
    );
    const listed = asked.length === 0 ? null : await perpetuals(payer);
    const mistakes = asked
      .filter(({ symbol }) => listed?.has(symbol) === false)
      .map((each) => ({ path: each.path, detail: 'must be the base symbol of a perpetual that the exchange lists' }));
    if (mistakes.length > 0)
      throw new VenueFailure({
        type: 'bad-body',
        detail: describeMistakes(mistakes.length, mistakes[0]?.path ?? '$'),
        errors: mistakes,
      });
  };
}

function baseSymbolsOf(rule: Rule): readonly (readonly [field: string, symbol: string])[] {
  if (rule.about !== 'funding') return [];
  return [
    ['base_symbol', rule.base_symbol],
    ...(rule.against === undefined ? [] : [['against', rule.against] as const]),
  ];
}

const WEEK_MS = 7 * 86_400_000;

async function tryRule(
  room: RulesRoom,
  { journal, now, elapsed, schedule }: ActionDeps,
  { rule, from }: { readonly rule: Rule; readonly from?: Instant },
  author: Viewer,
): Promise<RuleTrial> {
  checkBody([rule], () => '$.rule');
  checkScope(rule, '$.rule', author);
  await Promise.all([room.readFor({ rule, payer: author.payer }), room.known.prepare([rule])]);
  const at = now();
  const test = room.testOf(rule);
  const { evaluation: current, watched } = evaluateNow(room, rule, at);
  const obstacle = findTrialObstacle(rule);
  const span = { from: from === undefined ? at - WEEK_MS : Math.min(Date.parse(from), at), to: at };
  const yieldNow = () => new Promise<void>((resolve) => schedule(0, resolve));
  const trial =
    obstacle ??
    (await tryOnJournal(rule, test, span, {
      journal: journal.reader,
      keptFrom: journal.state().from,
      elapsed,
      yield: yieldNow,
    }).catch(toObstacle));
  return {
    sentence: describeRule(rule),
    now: isMissing(current)
      ? []
      : current.map((reading) => ({
          group: reading.group,
          holds: reading.holds,
          value: reading.value?.toFixed() ?? null,
          sentence: describeReading(rule, reading),
        })),
    no_data: isMissing(current) ? current.missing : null,
    watches: watched?.what ?? null,
    watches_nothing: watched?.nothing ?? null,
    ...describePast(trial),
  };
}

/** Describes the trial. If there was none, `not_tried` says why. */
function describePast(
  trial: Trial | string,
): Pick<RuleTrial, 'not_tried' | 'tried_from' | 'tried_to' | 'gaps' | 'firings'> {
  if (typeof trial === 'string') return { not_tried: trial, tried_from: null, tried_to: null, gaps: [], firings: [] };
  return {
    not_tried: null,
    tried_from: toInstant(trial.from),
    tried_to: toInstant(trial.to),
    gaps: trial.gaps.map((gap) => ({ from: toInstant(gap.from), to: toInstant(gap.to) })),
    firings: trial.firings.map(({ group: subject, at, resolvedAt, value }) => ({
      group: subject,
      at: toInstant(at),
      resolved_at: toInstantOrNull(resolvedAt),
      value,
    })),
  };
}

/** Turns the failure of an expression into a sentence for the user; any other failure is not the fault of the rule. */
function toObstacle(error: unknown): string {
  if (error instanceof ExpressionFailure) return describeFailure(error);
  throw error;
}

function describeFailure(error: unknown): string {
  return `It could not be evaluated: ${error instanceof Error ? error.message : String(error)}`;
}

interface EvaluatedNow {
  readonly evaluation: Evaluation;
  readonly watched: Watched | null;
}

function evaluateNow({ data, testOf, known }: RulesRoom, rule: Rule, at: number): EvaluatedNow {
  try {
    const current = data.at(at);
    const evaluation = evaluate(rule, current, testOf(rule), { remembered: known.of(rule) });
    return { evaluation, watched: watchedOf(rule, evaluation, current, { testOf, known }) };
  } catch (error) {
    return { evaluation: { missing: describeFailure(error) }, watched: null };
  }
}

interface AlertsDeps
  extends Omit<RulesRoomDeps, 'notifications' | 'onChange' | 'journal' | 'lease'>, NotificationRoomDeps {
  readonly journal: JournalRoom;
  readonly cursors: SealedCursors;
  readonly changes: Pick<Changes, 'note'>;
  readonly perpetuals: Parameters<typeof createRulePerformers>[1]['perpetuals'];
}

/** Rules, the alerts they raise, and the notifications about them. */
export interface Alerts {
  readonly notifications: Notifications;
  /** By endpoint of the contract. */
  readonly responders: ReturnType<typeof createRuleResponders>;
  /** By action of the contract. */
  readonly performers: ReturnType<typeof createRulePerformers> & {
    readonly testChannel: ReturnType<typeof createChannelTest>;
  };
  readonly start: () => void;
  readonly close: () => Promise<void>;
}

export async function openAlerts(deps: AlertsDeps): Promise<Alerts> {
  const notifications = openNotificationRoom(deps);
  const onChange = (): void => {
    deps.changes.note('alerts');
  };
  const rules = await openRulesRoom({ ...deps, notifications, onChange });
  return {
    notifications,
    responders: createRuleResponders(rules, deps),
    performers: { ...createRulePerformers(rules, deps), testChannel: createChannelTest(notifications) },
    start: () => {
      notifications.start();
      rules.start();
    },
    close: async () => {
      await rules.close();
      await notifications.close();
    },
  };
}
