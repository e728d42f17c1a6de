import type { RuleTrial, SilenceMatch } from '#contract/desk/alerts.ts';
import type { Rule } from '#contract/desk/rules.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { describeReading } from '#model/rules/describe-rule.ts';
import { describeRule } from '#model/rules/rule-sentence.ts';
import { evaluate } from '#model/rules/evaluate.ts';
import { type Evaluation, isMissing } from '#model/rules/readings.ts';
import type { Watched } from '#model/rules/watched.ts';
import { describeMistakes } from '../core/describe-mistakes.ts';
import type { JournalRoom } from '../journal/open-journal-room.ts';
import type { GatewayPorts, Payer } from '../core/ports.ts';
import { toInstant, toInstantOrNull } from '../core/to-instant.ts';
import { VenueFailure } from '../core/venue-failure.ts';
import type { Pairs } from '../core/order-rows.ts';
import type { SealedCursors } from '../core/sealed-cursors.ts';
import type { Viewer } from '../core/viewer.ts';
import { describeAlerts, describeSilence } from './rules/describe-alerts.ts';
import { describeHistory, describeRuleChanges } from './rules/describe-history.ts';
import { openRulesRoom, type RulesRoom, type RulesRoomParts } from './rules/open-rules-room.ts';
import { ExpressionFailure } from './rules/expression.ts';
import { checkBody, checkScope } from './rules/rule-book.ts';
import { watchedOf } from './rules/rule-engine.ts';
import { mayUseRule, mayUseSilence } from './rules/rule-scope.ts';
import { findTrialObstacle, type Trial, tryOnJournal } from './rules/try-rule.ts';
import type { Changes } from '../core/changes.ts';
import { type CallRoomParts, type Calls, openCallRoom } from './calls/open-call-room.ts';
import { createChannelTest } from './calls/test-channel.ts';

interface ResponderParts {
  readonly now: () => number;
  readonly cursors: SealedCursors;
}

/** What may be known of rules, as texts of JSON, by the endpoints of the contract. */
function createRuleResponders(room: RulesRoom, { now, cursors }: ResponderParts) {
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

interface ActionParts extends Pick<GatewayPorts, 'now' | 'elapsed' | 'schedule'> {
  readonly journal: Pick<JournalRoom, 'reader' | 'state'>;
  /** The base symbols of all perpetuals; null where they cannot be read now. */
  readonly perpetuals: (payer: Payer) => Promise<ReadonlySet<string> | null>;
}

interface Input<Body> {
  readonly body: Body;
  readonly query: Readonly<Record<string, string>>;
  readonly context: { readonly viewer: Viewer };
}

/** What may be done with rules, by the actions of the contract. */
function createRulePerformers(room: RulesRoom, parts: ActionParts) {
  const done = (count: number) => {
    room.wake();
    return { count };
  };
  const checkNew = createPerpetualCheck(room, parts);
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
      return tryRule(room, parts, body, viewer);
    },
    acknowledgeAlert: async ({
      body: { rule_id: ruleId, group, note },
      context: { viewer },
    }: Input<{ readonly rule_id: string; readonly group: string; readonly note: string }>) => {
      if (!(await room.acknowledge(ruleId, group, note, viewer)))
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

/** Rejects rules about perpetuals that do not exist: each would be asked for again and again. What a rule says already may be about one that is gone. */
function createPerpetualCheck({ rules }: Pick<RulesRoom, 'rules'>, { perpetuals }: Pick<ActionParts, 'perpetuals'>) {
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
  { journal, now, elapsed, schedule }: ActionParts,
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

/** Null where it was not tried: then `not_tried` says why. */
function describePast(
  trial: Trial | string,
): Pick<RuleTrial, 'not_tried' | 'tried_from' | 'tried_to' | 'gaps' | 'firings'> {
  if (typeof trial === 'string') return { not_tried: trial, tried_from: null, tried_to: null, gaps: [], firings: [] };
  return {
    not_tried: null,
    tried_from: toInstant(trial.from),
    tried_to: toInstant(trial.to),
    gaps: trial.gaps.map((gap) => ({ from: toInstant(gap.from), to: toInstant(gap.to) })),
    firings: trial.firings.map(({ group, at, resolvedAt, value }) => ({
      group,
      at: toInstant(at),
      resolved_at: toInstantOrNull(resolvedAt),
      value,
    })),
  };
}

/** Of what an expression cannot be evaluated for, nothing can be said; all else that fails is no fault of the rule. */
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

interface AlertsParts extends Omit<RulesRoomParts, 'calls' | 'onChange' | 'journal' | 'lease'>, CallRoomParts {
  readonly journal: JournalRoom;
  readonly cursors: SealedCursors;
  readonly changes: Pick<Changes, 'note'>;
  readonly perpetuals: Parameters<typeof createRulePerformers>[1]['perpetuals'];
}

/** Rules, the alerts that they raise, and the calls that say so. */
export interface Alerts {
  readonly calls: Calls;
  /** By the endpoints of the contract. */
  readonly responders: ReturnType<typeof createRuleResponders>;
  /** By the actions of the contract. */
  readonly performers: ReturnType<typeof createRulePerformers> & {
    readonly testChannel: ReturnType<typeof createChannelTest>;
  };
  readonly start: () => void;
  readonly close: () => Promise<void>;
}

export async function openAlerts(parts: AlertsParts): Promise<Alerts> {
  const calls = openCallRoom(parts);
  const onChange = (): void => {
    parts.changes.note('alerts');
  };
  const rules = await openRulesRoom({ ...parts, calls, onChange });
  return {
    calls,
    responders: createRuleResponders(rules, parts),
    performers: { ...createRulePerformers(rules, parts), testChannel: createChannelTest(calls) },
    start: () => {
      calls.start();
      rules.start();
    },
    close: async () => {
      await rules.close();
      await calls.close();
    },
  };
}
