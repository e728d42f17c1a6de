import type { RuleTrial, SilenceMatch } from '#contract/desk/alerts.ts';
import type { Rule } from '#contract/desk/rules.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { describeReading } from '#model/rules/describe-rule.ts';
import { describeRule } from '#model/rules/rule-sentence.ts';
import { evaluate } from '#model/rules/evaluate.ts';
import { type Evaluation, isMissing, type SubjectReading } from '#model/rules/readings.ts';
import { describeOutside, type Holidays } from '#model/rules/rule-hours.ts';
import type { Watched } from '#model/rules/alert-summary.ts';
import { describeMistakes, VenueFailure } from '#server/core/venue-failure.ts';
import type { JournalRoom } from '#server/journal/open-journal-room.ts';
import type { PriceReader } from '#server/journal/prices/read-prices.ts';
import type { ServerPorts, Payer } from '#server/core/ports.ts';
import { toInstant, toInstantOrNull } from '#server/core/to-instant.ts';
import type { Pairs } from '#server/core/order-rows.ts';
import type { SealedCursors } from '#server/core/sealed-texts.ts';
import type { Scope, Viewer } from '#server/core/viewer.ts';
import {
  describeAlerts,
  describeEvidence,
  describeHistory,
  describeRuleChanges,
  describeShiftNote,
  describeSilence,
} from './rules/describe-alerts.ts';
import { openRulesRoom, type RulesRoom, type RulesRoomDeps } from './rules/open-rules-room.ts';
import { isForNewOnly } from './rules/order-baselines.ts';
import { ExpressionFailure } from './rules/order-tests.ts';
import { type Author, checkBody, checkScope, mayUseRule } from './rules/rule-registry.ts';
import { watchedOf } from './rules/rule-engine.ts';
import { needsPrices } from '#model/rules/order-limits.ts';
import { type SettledRatesOf, tryOnRates } from './rules/try-on-rates.ts';
import { findTrialObstacle, type Trial, tryOnJournal } from './rules/try-rule.ts';
import type { Changes } from '#server/core/topics.ts';
import {
  type NotificationRoomDeps,
  type Notifications,
  openNotificationRoom,
} from './notifications/open-notification-room.ts';
import { createAcknowledgeLinks } from './notifications/acknowledge-links.ts';
import { type CommandDeps, createLeaderCommands, type LeaderCommands } from './leader-commands.ts';
import type { HeartbeatSettings } from '#server/core/channel-settings.ts';
import { createHeartbeat, findStoppedWork } from './notifications/heartbeat.ts';
import {
  createChannelTest,
  listFailingChannels,
  type ShownNotifications,
} from './notifications/describe-notifications.ts';

interface ResponderDeps {
  readonly now: () => number;
  readonly cursors: SealedCursors;
  readonly holidays: () => Holidays;
  readonly notifications: Pick<Notifications, 'describe'>;
}

/** Creates the responders to the contract's endpoints of rules and alerts. They return JSON. */
function createRuleResponders(room: RulesRoom, { now, cursors, holidays, notifications }: ResponderDeps) {
  return {
    rules: async (_: Pairs, { scope }: Viewer) => {
      await room.refresh();
      return JSON.stringify({ rules: room.rules.all().filter((rule) => mayUseRule(scope, rule)) });
    },
    ruleChanges: (_: Pairs, { scope }: Viewer) => describeRuleChanges(room, scope),
    alerts: async (_: Pairs, { scope }: Viewer) => {
      await room.refresh();
      const failing = JSON.stringify(await listFailingChannels(notifications, { scope }, now()));
      const alerts = describeAlerts({
        board: room.board,
        rules: room.rules.all(),
        silences: room.silences.all(),
        evaluates: room.evaluates(),
        evaluatedAt: room.evaluatedAt(),
        shiftNote: room.shiftNotes.current(),
        now: now(),
        holidays: holidays(),
        scope,
      });
      return `${alerts.slice(0, -1)},"failing_channels":${failing}}`;
    },
    alertHistory: (query: Pairs, viewer: Viewer) => describeHistory({ ...room, cursors }, query, viewer),
    alertEvidence: async (query: Pairs, viewer: Viewer) => {
      await room.refresh();
      return describeEvidence(room, query, viewer);
    },
  };
}

/** What the leader does for whichever desk the person uses. */
function createLeaderPerformers(room: RulesRoom, { test }: Pick<Notifications, 'test'>) {
  return {
    acknowledge: ({ alerts, author, ...acknowledgement }: By<Acknowledged>) =>
      room.act((acts) => acts.acknowledge(alerts, acknowledgement, fromSent(author))),
    endAcknowledgements: async ({ alerts, author }: By<AlertNames>) => ({
      count: await room.act((acts) => acts.endAcknowledgements(alerts, fromSent(author))),
    }),
    note: async ({ alerts, note, author }: By<Noted>) => ({
      count: await room.act((acts) => acts.note(alerts, note, fromSent(author))),
    }),
    silence: async ({ matches, until, note, author }: By<Silenced>) => ({
      silences: await room.act((acts) => acts.silence({ matches, until, note }, fromSent(author))),
    }),
    endSilence: async ({ id, author }: By<{ readonly id: string }>) => {
      await room.act((acts) => acts.endSilence(id, fromSent(author)));
      return {};
    },
    testChannel: async ({ channel }: { readonly channel: string }) => ({ result: await test(channel) }),
  };
}
type LeaderPerformers = ReturnType<typeof createLeaderPerformers>;

interface AlertNames {
  readonly alerts: readonly { readonly rule_id: string; readonly group: string }[];
}
interface Noted extends AlertNames {
  readonly note: string;
}
interface Acknowledged extends Noted {
  readonly assignee?: string | undefined;
  readonly link?: string | undefined;
}
interface Silenced {
  readonly matches: readonly SilenceMatch[];
  /** In epoch milliseconds. */
  readonly until: number;
  readonly note: string;
}

/** What is sent to the leader, with its author. */
type By<Sent> = Sent & { readonly author: ReturnType<typeof toSent> };

function toSent({ name, person, scope }: Viewer) {
  return { name, person, scope: toCodes(scope) };
}

function fromSent({ scope, ...author }: ReturnType<typeof toSent>): Author {
  return { ...author, scope: fromCodes(scope) };
}

/** Returns a scope as JSON can have it. */
function toCodes(scope: Scope) {
  if (scope === 'all') return scope;
  return { accounts: [...scope.accounts], firms: [...scope.firms], connections: [...scope.connections] };
}

function fromCodes(scope: ReturnType<typeof toCodes>): Scope {
  if (scope === 'all') return scope;
  const { accounts, firms, connections } = scope;
  return { accounts: new Set(accounts), firms: new Set(firms), connections: new Set(connections) };
}

interface ListedCodes {
  readonly symbols: ReadonlySet<string>;
  readonly baseSymbols: ReadonlySet<string>;
  /** Base symbols of perpetuals. */
  readonly perpetuals: ReadonlySet<string>;
}

interface ActionDeps extends Pick<ServerPorts, 'now' | 'elapsed' | 'schedule'> {
  readonly holidays: () => Holidays;
  readonly journal: Pick<JournalRoom, 'reader' | 'state' | 'refresh'>;
  readonly prices: PriceReader;
  /** What the exchange lists; null if it cannot be read now. */
  readonly listed: (payer: Payer) => Promise<ListedCodes | null>;
  readonly settledRatesOf: SettledRatesOf;
  readonly commands: Pick<LeaderCommands<LeaderPerformers>, 'perform'>;
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
  const saved = ({ length }: readonly unknown[], rules: readonly Rule[]) => ({
    ...done(length),
    ids: rules.map(({ id }) => id),
  });
  const checkNew = createListedCheck(room, deps);
  const putAll = async (rules: readonly Rule[], path: (index: number) => string, author: Viewer) => {
    await checkNew(rules, path, author);
    const adopted = room.rules.adopt(rules, author);
    return saved(await room.rules.put(adopted, path, author), adopted);
  };
  return {
    putRule: async ({
      body: { rule, before },
      context: { viewer },
    }: Input<{ readonly rule: Rule; readonly before?: Rule | null }>) => {
      const path = () => '$.rule';
      await room.refresh();
      if (before === undefined) return putAll([rule], path, viewer);
      await checkNew([rule], path, viewer);
      const [adopted = rule] = before === null ? room.rules.adopt([rule], viewer) : [rule];
      return saved(await room.rules.replace(adopted, before, '$.rule', viewer), [adopted]);
    },
    importRules: async ({ body: { rules }, context: { viewer } }: Input<{ readonly rules: readonly Rule[] }>) => {
      await room.refresh();
      return putAll(rules, (index) => `$.rules[${String(index)}]`, viewer);
    },
    deleteRule: async ({ query, context: { viewer } }: Input<null>) =>
      done((await room.rules.remove(query['id'] ?? '', viewer)).length),
    tryRule: async ({ body, context: { viewer } }: Input<{ readonly rule: Rule; readonly from?: Instant }>) => {
      await checkNew([body.rule], () => '$.rule', viewer);
      return tryRule(room, deps, body, viewer);
    },
    acknowledgeAlerts: async ({ body, context: { viewer } }: Input<Acknowledged>) => {
      const { count, ...through } = await deps.commands.perform('acknowledge', { ...body, author: toSent(viewer) });
      return { ...done(mustBeSome(count)), ...through };
    },
    endAcknowledgements: async ({ body, context: { viewer } }: Input<AlertNames>) => {
      const { count } = await deps.commands.perform('endAcknowledgements', { ...body, author: toSent(viewer) });
      return done(mustBeSome(count));
    },
    noteAlerts: async ({ body, context: { viewer } }: Input<Noted>) => {
      const { count } = await deps.commands.perform('note', { ...body, author: toSent(viewer) });
      return done(mustBeSome(count));
    },
    putShiftNote: async ({
      body: { text, before },
      context: { viewer },
    }: Input<{ readonly text: string; readonly before: number }>) => {
      const note = await room.shiftNotes.put(text, before, viewer);
      room.wake();
      return describeShiftNote(note);
    },
    silenceAlerts: async ({
      body: { matches, until, note },
      context: { viewer },
    }: Input<{ readonly matches: readonly SilenceMatch[]; readonly until: Instant; readonly note: string }>) => {
      const given = { matches, until: Date.parse(until), note, author: toSent(viewer) };
      const { silences } = await deps.commands.perform('silence', given);
      await room.refresh();
      room.wake();
      return { silences: silences.map(describeSilence) };
    },
    endSilence: async ({ query, context: { viewer } }: Input<null>) => {
      await deps.commands.perform('endSilence', { id: query['id'] ?? '', author: toSent(viewer) });
      await room.refresh();
      return done(1);
    },
  };
}

function mustBeSome(count: number): number {
  if (count === 0)
    throw toFailure('There is no such alert: it may be over.', '$.alerts', 'must be alerts that are not over');
  return count;
}

function toFailure(detail: string, path: string, mistake: string): VenueFailure {
  return new VenueFailure({ type: 'bad-body', detail, errors: [{ path, detail: mistake }] });
}

/**
 * Rejects new rules about products and perpetuals that do not exist: they would never fire, and each perpetual would be
 * requested again and again. Codes that a saved rule already uses are accepted, since they may have been delisted.
 */
function createListedCheck({ rules }: Pick<RulesRoom, 'rules'>, { listed }: Pick<ActionDeps, 'listed'>) {
  return async (given: readonly Rule[], path: (index: number) => string, { payer }: Viewer): Promise<void> => {
    const known = new Set(rules.all().flatMap(codesOf).map(keyOf));
    const named = checkBody(given, path).flatMap((rule, index) =>
      codesOf(rule)
        .filter((code) => !known.has(keyOf(code)))
        .map(({ field, ...code }) => ({ ...code, path: `${path(index)}.${field}` })),
    );
    const found = named.length === 0 ? null : await listed(payer);
    if (found === null) return;
    const has = (kind: keyof ListedCodes, code: string): boolean =>
      found[kind].has(code) || (kind !== 'perpetuals' && [...found[kind]].some((one) => isSameCode(one, code)));
    const mistakes = named
      .filter(({ kind, code }) => !has(kind, code))
      .map(({ path: at, kind }) => ({ path: at, detail: `must be ${LISTED[kind]} that the exchange lists` }));
    if (mistakes.length > 0)
      throw new VenueFailure({
        type: 'bad-body',
        detail: describeMistakes(mistakes.length, mistakes[0]?.path ?? '$'),
        errors: mistakes,
      });
  };
}

/** Filters by product ignore case. */
function isSameCode(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

const LISTED: Readonly<Record<keyof ListedCodes, string>> = {
  symbols: 'the symbol of a product',
  baseSymbols: 'the base symbol of a product',
  perpetuals: 'the base symbol of a perpetual',
};

interface NamedCode {
  readonly field: string;
  readonly kind: keyof ListedCodes;
  readonly code: string;
}

function keyOf({ kind, code }: NamedCode): string {
  return `${kind} ${code}`;
}

function codesOf(rule: Rule): readonly NamedCode[] {
  const toCodes = (kind: NamedCode['kind'], field: string, given: string | readonly string[] = []) =>
    typeof given === 'string'
      ? [{ kind, field, code: given }]
      : given.map((code, index) => ({ kind, field: `${field}[${String(index)}]`, code }));
  if (rule.about === 'market') {
    const { symbol, symbols, base_symbol: base } = rule.filter;
    return [
      ...toCodes('symbols', 'filter.symbol', symbol),
      ...toCodes('symbols', 'filter.symbols', symbols),
      ...toCodes('baseSymbols', 'filter.base_symbol', base),
    ];
  }
  if (rule.about !== 'funding') return [];
  return [
    ...toCodes('perpetuals', 'base_symbol', rule.base_symbol),
    ...toCodes('perpetuals', 'base_symbols', rule.base_symbols),
    ...toCodes('perpetuals', 'against', rule.against),
  ];
}

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** Rates settle a few times a day. */
const RATES_MS = 90 * DAY_MS;

interface RuleToTry {
  readonly rule: Rule;
  readonly from?: Instant | undefined;
  readonly at: number;
}

/** Tries a rule on the past: one about funding on settled rates, any other on the journal. */
async function tryOnPast(
  { testOf, data }: RulesRoom,
  { rule, from, at }: RuleToTry,
  { journal, prices, holidays, settledRatesOf, elapsed, schedule }: ActionDeps,
): Promise<Trial | string> {
  const spanOf = (length: number) => ({
    from: from === undefined ? at - length : Math.min(Date.parse(from), at),
    to: at,
  });
  if (rule.about === 'funding')
    return tryOnRates({ rule, perpetuals: data.found(at).perpetuals, span: spanOf(RATES_MS), settledRatesOf });
  const isPriced = rule.about === 'orders' && needsPrices(rule);
  const { market } = data.at(at);
  return (
    findTrialObstacle(rule) ??
    (isPriced && isMissing(market) ? market.missing : null) ??
    tryOnJournal(rule, testOf(rule), spanOf(WEEK_MS), {
      journal: journal.reader,
      keptFrom: journal.state().from,
      prices: isPriced ? { ...prices, termsAt: data.termsAt(at) } : null,
      holidays: holidays(),
      elapsed,
      yield: () => new Promise<void>((resolve) => schedule(0, resolve)),
    }).catch(toObstacle)
  );
}

async function tryRule(
  room: RulesRoom,
  deps: ActionDeps,
  { rule, from }: { readonly rule: Rule; readonly from?: Instant },
  author: Viewer,
): Promise<RuleTrial> {
  checkBody([rule], () => '$.rule');
  checkScope(rule, '$.rule', author);
  await deps.journal.refresh();
  await Promise.all([room.readFor({ rule, payer: author.payer }), room.known.prepare([rule])]);
  const at = deps.now();
  const { evaluation: current, watched } = evaluateNow(room, rule, at);
  const outside = describeOutside(rule.hours, at, deps.holidays());
  const trial = await tryOnPast(room, { rule, from, at }, deps);
  return {
    sentence: describeRule(rule, deps.holidays() !== null),
    now: isMissing(current)
      ? []
      : current.map((reading) => ({
          group: reading.group,
          ...(reading.label !== undefined && { label: reading.label }),
          holds: reading.holds,
          value: reading.value?.toFixed() ?? null,
          sentence: describeReading(rule, isForNewOnly(rule) ? asKnown(reading) : reading),
        })),
    no_data: isMissing(current) ? current.missing : null,
    ...(outside !== null && { outside_hours: outside }),
    watches: watched?.what ?? null,
    watches_nothing: watched?.nothing ?? null,
    ...describePast(trial),
  };
}

/** What meets the condition when a rule for new orders only is saved. */
function asKnown(reading: SubjectReading): SubjectReading {
  return reading.holds === true
    ? { ...reading, because: 'It already meets the condition, so it would raise no alert.' }
    : reading;
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
    firings: trial.firings.map(({ group: subject, label, at, resolvedAt, value }) => ({
      group: subject,
      ...(label !== undefined && { label }),
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
  extends
    Omit<RulesRoomDeps, 'notifications' | 'onChange' | 'journal' | 'lease' | 'links'>,
    Omit<NotificationRoomDeps, 'onFailing' | 'links'>,
    Pick<CommandDeps, 'isAlone'> {
  readonly journal: JournalRoom;
  readonly prices: PriceReader;
  readonly cursors: SealedCursors;
  readonly key: string;
  readonly earlierKeys: () => readonly string[];
  readonly changes: Pick<Changes, 'note'>;
  readonly listed: ActionDeps['listed'];
  readonly settledRatesOf: SettledRatesOf;
  readonly heartbeat: HeartbeatSettings | null;
  /** How often the journal is read; null if there is none. */
  readonly journalMs: number | null;
}

/** Rules, the alerts they raise, and the notifications about them. */
export interface Alerts {
  readonly notifications: ShownNotifications;
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
  const onChange = (): void => {
    deps.changes.note('alerts');
  };
  const links = createAcknowledgeLinks(deps.key, deps.earlierKeys);
  const notifications = openNotificationRoom({ ...deps, links, onFailing: onChange });
  const rules = await openRulesRoom({ ...deps, links, notifications, onChange });
  const findStop = (): string | null => {
    const [evaluatedAt, readAt] = [rules.evaluatedAt(), deps.journal.state().lastReading?.to ?? null];
    return findStoppedWork({ evaluatedAt, readAt, journalMs: deps.journalMs }, deps.now());
  };
  const heartbeat = deps.heartbeat && createHeartbeat(deps.heartbeat, { ...deps, findStop });
  const commands = createLeaderCommands<LeaderPerformers>(deps, createLeaderPerformers(rules, notifications));
  const test: Notifications['test'] = async (channel) => (await commands.perform('testChannel', { channel })).result;
  return {
    notifications: { ...notifications, heartbeat: () => heartbeat?.state() ?? null },
    responders: createRuleResponders(rules, { ...deps, notifications }),
    performers: { ...createRulePerformers(rules, { ...deps, commands }), testChannel: createChannelTest({ test }) },
    start: () => {
      notifications.start();
      rules.start();
      commands.start();
      heartbeat?.start();
    },
    close: async () => {
      await heartbeat?.close();
      await commands.close();
      await rules.close();
      await notifications.close();
    },
  };
}
