import type { Rule, RuleChange } from '#contract/desk/rules.ts';
import { describeLimit, describeMissing } from '#model/rules/describe-rule.ts';
import { SOME_UNREADABLE, UNPROVEN } from '#model/rules/evaluate-orders.ts';
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
import { MAX_RULE_CHANGES, type RuleStore, type StoredShiftNote, type StoredSilence } from './rule-store.ts';
import type { AlertStateName, RuleState, ShiftNote } from '#contract/desk/alerts.ts';
import { describeOutside, type Holidays } from '#model/rules/rule-hours.ts';
import { toInstant, toInstantOrNull } from '#server/core/to-instant.ts';
import { type AlertBoard, type CurrentAlert, describeAcknowledgement, toAlertFields } from './alert-board.ts';
import { isFlapping } from './alert-state.ts';
import { findInhibitor, findSilence, listHolding, nameCause } from './muting.ts';

export interface AlertsNow {
  readonly board: Pick<AlertBoard, 'all' | 'of' | 'lastFired' | 'watchedBy'>;
  readonly rules: readonly Rule[];
  readonly silences: readonly StoredSilence[];
  readonly evaluates: boolean;
  readonly evaluatedAt: number | null;
  readonly shiftNote: StoredShiftNote | null;
  readonly now: number;
  readonly holidays: Holidays;
  readonly scope: Scope;
}

export function describeAlerts(parts: AlertsNow): string {
  const { board, rules, silences, evaluates, evaluatedAt, shiftNote, now, holidays, scope } = parts;
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
  return JSON.stringify({
    evaluates,
    evaluated_at: toInstantOrNull(evaluatedAt),
    rules: enabled.length,
    rule_states: enabled.map((rule) => describeState(rule, board, describeOutside(rule.hours, now, holidays))),
    ...(holidays !== null && { holidays: holidays.size }),
    last_fired: lastFired,
    silences: running,
    // The note may name any account.
    may_edit_shift_note: scope === 'all',
    shift_note: scope === 'all' && shiftNote !== null ? describeShiftNote(shiftNote) : null,
    alerts,
  });
}

export function describeShiftNote({ at, ...note }: StoredShiftNote): ShiftNote {
  return { ...note, at: toInstant(at) };
}

/** The worst first. A rule in none of these states that was never evaluated counts as unknown, not as fine. */
const OPEN_STATES = ['firing', 'no data', 'pending'] as const;

function describeState(rule: Rule, { of, watchedBy }: AlertsNow['board'], outside: string | null): RuleState {
  if (outside !== null) return { rule_id: rule.id, state: 'outside hours', watches: null, reason: outside };
  const statuses = new Set(of(rule.id).map(toShownStatus));
  const watched = watchedBy(rule);
  const quiet = watched === null ? 'unknown' : watched.nothing === null ? 'ok' : 'watches nothing';
  return {
    rule_id: rule.id,
    state: OPEN_STATES.find((status) => statuses.has(status)) ?? quiet,
    watches: watched?.what ?? null,
    reason: watched?.nothing ?? null,
  };
}

/** What fired before its rule lost its data is kept as firing, so that it goes on when they are back. */
export function toShownStatus({ state: { status }, missing }: CurrentAlert): CurrentAlert['state']['status'] {
  return status === 'firing' && missing !== null ? 'no data' : status;
}

function describeAlert(
  alert: CurrentAlert,
  holding: readonly Rule[],
  { board, silences, evaluatedAt, now }: AlertsNow,
): object {
  const { rule, state } = alert;
  const status = toShownStatus(alert);
  const of = status === state.status ? alert : board.of(rule.id).find(({ group: subject }) => subject === '');
  const { since } = of?.state ?? state;
  const inhibitor = findInhibitor(rule, holding);
  const silencedUntil = findSilence(silences, alert, now);
  return {
    ...(alert.shown === undefined
      ? toAlertFields(alert, status, board.of, now)
      : toOwnFields(alert.shown, status, state)),
    since: toInstant(since),
    evaluated_at: toInstant(evaluatedAt ?? since),
    limit: describeLimit(rule) || null,
    rows: countRows(alert),
    ...describeCare(state),
    silenced_until: toInstantOrNull(silencedUntil),
    inhibited_by: inhibitor?.id ?? null,
    inhibited_because: inhibitor && nameCause(inhibitor),
    flapping: isFlapping(state, now),
  };
}

function countRows({ shown, reading }: CurrentAlert): number {
  return shown?.rows ?? reading?.evidence.total ?? 0;
}

/** What people have done with an alert. */
function describeCare(state: CurrentAlert['state']): object {
  return {
    notes: (state.notes ?? []).map((note) => ({ ...note, at: toInstant(note.at) })),
    acknowledged: describeAcknowledgement(state),
  };
}

/** The state may be newer than the description. */
function toOwnFields(
  { fields }: NonNullable<CurrentAlert['shown']>,
  status: AlertStateName,
  { startedAt }: CurrentAlert['state'],
): object {
  return { ...fields, state: status, started_at: toInstantOrNull(startedAt) };
}

export function describeSilence({ id, match, until, by, at, note }: StoredSilence) {
  return { id, match, until: toInstant(until), by, at: toInstant(at), note };
}

/**
 * Returns the rows that an alert was about when it began to fire, as JSON. An alert that the viewer may not see is
 * treated as nonexistent.
 */
export async function describeEvidence(
  { board, store }: { readonly board: Pick<AlertBoard, 'find'>; readonly store: Pick<RuleStore, 'evidence'> },
  pairs: Pairs,
  { scope }: Pick<Reader, 'scope'>,
): Promise<string> {
  const { rule_id: ruleId = '', group: subject = '' } = Object.fromEntries(pairs);
  const alert = board.find(ruleId, subject);
  const stored = alert !== undefined && mayUseRule(scope, alert.rule) ? await store.evidence(ruleId, subject) : null;
  const { orders } = JSON.parse(stored?.body ?? '{"orders":[]}') as StoredBody['evidence'];
  if (stored === null || !orders.every((order) => maySee(scope, ownerOf(order))))
    return '{"at":null,"total":0,"orders":[],"products":[]}';
  return `{"at":"${toInstant(stored.at)}",${stored.body.slice(1)}`;
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
  const show = await createFilter(deps, scope);
  const found = await readPage(
    deps,
    {
      ruleId,
      before: cursor === undefined ? null : parseCursor(deps.cursors.open(cursor, owner)),
      limit: Number(limit),
    },
    show,
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
  show: ShowBody | null,
): Promise<Page> {
  if (show === null) return store.alertChanges({ ruleId, before, limit });
  const shown: Page['changes'][number][] = [];
  for (let from = before; ;) {
    const page = await store.alertChanges({ ruleId, before: from, limit: BATCH });
    for (const { number, body } of page.changes) {
      const own = show(body);
      if (own !== null) shown.push({ number, body: own });
    }
    if (shown.length > limit || !page.hasMore) return { changes: shown.slice(0, limit), hasMore: shown.length > limit };
    from = page.changes.at(-1)?.number ?? null;
  }
}

/** Returns the stored change as it is shown to a viewer; null if it is not. */
type ShowBody = (body: string) => string | null;

/** Returns null if all changes are shown as they are stored. */
async function createFilter({ store, rules }: HistoryDeps, scope: Scope): Promise<ShowBody | null> {
  if (scope === 'all') return null;
  const changes = (await store.ruleChanges()).map((text) => JSON.parse(text) as RuleChange);
  const ruleAt = toRuleHistory(changes, rules.all(), changes.length < MAX_RULE_CHANGES);
  return (body) => {
    const stored = JSON.parse(body) as StoredBody;
    const rule = findShown(stored, scope, ruleAt);
    return rule && body.replace(toField(stored.sentence), () => toField(hideOthers(stored, rule)));
  };
}

interface StoredBody {
  readonly at: string;
  readonly rule_id: string;
  readonly group: string;
  readonly sentence: string;
  readonly evidence: { readonly orders: readonly Readonly<Record<string, unknown>>[] };
}

/** Returns the rule as it was then, since its filter may have named others; null if its change is not shown. */
function findShown({ at, rule_id: ruleId, evidence }: StoredBody, scope: Scope, ruleAt: RuleAt): Rule | null {
  const rule = ruleAt(ruleId, Date.parse(at));
  if (rule === null || !mayUseRule(scope, rule)) return null;
  return evidence.orders.every((order) => maySee(scope, ownerOf(order))) ? rule : null;
}

function toField(sentence: string): string {
  return `"sentence":${JSON.stringify(sentence)}`;
}

/** Earlier versions stored the reasons for a doubt about all orders, with their number, IDs and accounts. */
const REASONS = /\d orders (?:are )?no longer listed|The list lacks orders|working orders that are not listed/;
const UNREADABLE = /[\d,]+ orders? could not be read\./;

function hideOthers({ sentence, group: subject }: StoredBody, rule: Rule): string {
  return REASONS.test(sentence)
    ? describeMissing(rule, subject, UNPROVEN)
    : sentence.replace(UNREADABLE, SOME_UNREADABLE);
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
