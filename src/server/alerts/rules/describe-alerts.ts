import type { Rule, RuleChange } from '#contract/desk/rules.ts';
import { DEFAULT_LIMIT } from '#contract/exchange/parameters.ts';
import type { Pairs } from '#server/core/order-rows.ts';
import type { SealedCursors } from '#server/core/sealed-texts.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { maySee, type Scope, type Viewer } from '#server/core/viewer.ts';
import {
  mayUseChange,
  mayUseRule,
  mayUseSilence,
  type RuleAt,
  type RuleRegistry,
  toRuleHistory,
} from './rule-registry.ts';
import { MAX_RULE_CHANGES, type RuleStore, type StoredSilence } from './rule-store.ts';
import type { RuleState } from '#contract/desk/alerts.ts';
import { toInstant, toInstantOrNull } from '#server/core/to-instant.ts';
import {
  type AlertBoard,
  type CurrentAlert,
  describeAcknowledgement,
  joinBody,
  toAlertFields,
  toEvidenceText,
} from './alert-board.ts';
import { isFlapping } from './alert-state.ts';
import { findInhibitor, findSilence, listHolding, nameCause } from './muting.ts';

export interface AlertsNow {
  readonly board: Pick<AlertBoard, 'all' | 'of' | 'lastFired' | 'watchedBy'>;
  readonly rules: readonly Rule[];
  readonly silences: readonly StoredSilence[];
  readonly evaluates: boolean;
  readonly evaluatedAt: number | null;
  readonly textOf: (row: object) => string;
  readonly now: number;
  readonly scope: Scope;
}

export function describeAlerts(parts: AlertsNow): string {
  const { board, rules, silences, evaluates, evaluatedAt, now, scope } = parts;
  const enabled = rules.filter((rule) => rule.enabled && mayUseRule(scope, rule));
  const holding = listHolding(enabled, board);
  const alerts = board
    .all()
    .filter(({ rule }) => mayUseRule(scope, rule))
    .map((alert) => describeAlert(alert, holding, parts));
  const running = silences
    .filter((silence) => silence.until > now && mayUseSilence(scope, silence, rules))
    .map(describeSilence);
  const usable = new Set(rules.filter((rule) => mayUseRule(scope, rule)).map(({ id }) => id));
  const lastFired = [...board.lastFired()]
    .filter(([id]) => scope === 'all' || usable.has(id))
    .map(([id, at]) => ({ rule_id: id, at: toInstant(at) }));
  const head = JSON.stringify({
    evaluates,
    evaluated_at: toInstantOrNull(evaluatedAt),
    rules: enabled.length,
    rule_states: enabled.map((rule) => describeState(rule, board)),
    last_fired: lastFired,
    silences: running,
  });
  return `${head.slice(0, -1)},"alerts":[${alerts.join(',')}]}`;
}

/** The worst first. A rule in none of these states that was never evaluated counts as unknown, not as fine. */
const OPEN_STATES = ['firing', 'no data', 'pending'] as const;

function describeState(rule: Rule, { of, watchedBy }: AlertsNow['board']): RuleState {
  const statuses = new Set(of(rule.id).map(({ state }) => state.status));
  const watched = watchedBy(rule);
  const quiet = watched === null ? 'unknown' : watched.nothing === null ? 'ok' : 'watches nothing';
  return {
    rule_id: rule.id,
    state: OPEN_STATES.find((status) => statuses.has(status)) ?? quiet,
    watches: watched?.what ?? null,
    reason: watched?.nothing ?? null,
  };
}

function describeAlert(
  alert: CurrentAlert,
  holding: readonly Rule[],
  { board, silences, evaluatedAt, textOf, now }: AlertsNow,
): string {
  const { rule, state, reading } = alert;
  const { since } = state;
  const inhibitor = findInhibitor(rule, holding);
  const silencedUntil = findSilence(silences, alert, now);
  const fields = {
    ...toAlertFields(alert, state.status, board.of, now),
    since: toInstant(since),
    evaluated_at: toInstant(evaluatedAt ?? since),
    acknowledged: describeAcknowledgement(state),
    silenced_until: toInstantOrNull(silencedUntil),
    inhibited_by: inhibitor?.id ?? null,
    inhibited_because: inhibitor && nameCause(inhibitor),
    flapping: isFlapping(state, now),
  };
  return joinBody(fields, toEvidenceText(reading?.evidence ?? { total: 0, orders: [], products: [] }, textOf));
}

export function describeSilence({ id, match, until, by, at, note }: StoredSilence) {
  return { id, match, until: toInstant(until), by, at: toInstant(at), note };
}

interface HistoryDeps {
  readonly store: Pick<RuleStore, 'alertChanges' | 'ruleChanges'>;
  readonly rules: Pick<RuleRegistry, 'all'>;
  readonly cursors: SealedCursors;
}

type Reader = Pick<Viewer, 'scope' | 'entitlement'>;

/** Returns changes of alerts as JSON. */
export async function describeHistory(
  deps: HistoryDeps,
  pairs: Pairs,
  { scope, entitlement }: Reader,
): Promise<string> {
  const query = Object.fromEntries(pairs);
  const owner = JSON.stringify(['alerts', entitlement]);
  const { rule_id: ruleId = null, cursor, limit = String(DEFAULT_LIMIT) } = query;
  const isShown = await createFilter(deps, scope);
  const found = await readPage(
    deps,
    {
      ruleId,
      before: cursor === undefined ? null : parseCursor(deps.cursors.open(cursor, owner)),
      limit: Number(limit),
    },
    isShown,
  );
  const last = found.changes.at(-1);
  // Cursors are sealed because their numbers count everyone's alerts.
  const pagination =
    last === undefined || !found.hasMore
      ? {}
      : { cursor: deps.cursors.seal(String(last.number).padStart(LONGEST_NUMBER, '0'), owner) };
  return `{"changes":[${found.changes.map(({ body }) => body).join(',')}],"pagination":${JSON.stringify(pagination)}}`;
}

/** Returns changes of rules as JSON. */
export async function describeRuleChanges({ store }: Pick<HistoryDeps, 'store'>, scope: Scope): Promise<string> {
  const changes = await store.ruleChanges();
  const shown =
    scope === 'all' ? changes : changes.filter((text) => mayUseChange(scope, JSON.parse(text) as RuleChange));
  return `{"changes":[${shown.join(',')}]}`;
}

const LONGEST_NUMBER = 15;
/** The whole history fits into ten batches. */
const BATCH = 1_000;

type Request = Parameters<RuleStore['alertChanges']>[0];
type Page = Awaited<ReturnType<RuleStore['alertChanges']>>;

async function readPage(
  { store }: HistoryDeps,
  { ruleId, before, limit }: Request,
  isShown: ((body: string) => boolean) | null,
): Promise<Page> {
  if (isShown === null) return store.alertChanges({ ruleId, before, limit });
  const shown: Page['changes'][number][] = [];
  for (let from = before; ;) {
    const page = await store.alertChanges({ ruleId, before: from, limit: BATCH });
    for (const change of page.changes) if (isShown(change.body)) shown.push(change);
    if (shown.length > limit || !page.hasMore) return { changes: shown.slice(0, limit), hasMore: shown.length > limit };
    from = page.changes.at(-1)?.number ?? null;
  }
}

/** Returns null if all changes are shown. */
async function createFilter({ store, rules }: HistoryDeps, scope: Scope): Promise<((body: string) => boolean) | null> {
  if (scope === 'all') return null;
  const changes = (await store.ruleChanges()).map((text) => JSON.parse(text) as RuleChange);
  const ruleAt = toRuleHistory(changes, rules.all(), changes.length < MAX_RULE_CHANGES);
  return (body) => mayShow(JSON.parse(body) as StoredBody, scope, ruleAt);
}

interface StoredBody {
  readonly at: string;
  readonly rule_id: string;
  readonly evidence: { readonly orders: readonly Readonly<Record<string, unknown>>[] };
}

/** Judges by the rule as it was then, since its filter may have named others. */
function mayShow({ at, rule_id: ruleId, evidence }: StoredBody, scope: Scope, ruleAt: RuleAt): boolean {
  const rule = ruleAt(ruleId, Date.parse(at));
  return rule !== null && mayUseRule(scope, rule) && evidence.orders.every((order) => maySee(scope, ownerOf(order)));
}

function ownerOf({
  account_id: account,
  clearing_firm_code: firm,
  connection_id: connection,
}: Readonly<Record<string, unknown>>) {
  return { account: String(account), firm: String(firm), connection: String(connection).toLowerCase() };
}

function parseCursor(number: string | null): number {
  if (number === null || !/^\d{15}$/.test(number))
    throw new VenueFailure({
      type: 'bad-parameter',
      detail: 'The cursor is not one of an earlier page.',
      parameter: 'cursor',
    });
  return Number(number);
}
