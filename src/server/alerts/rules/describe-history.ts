import type { RuleChange } from '#contract/desk/rules.ts';
import { DEFAULT_LIMIT } from '#contract/exchange/parameters.ts';
import type { Pairs } from '#server/core/order-rows.ts';
import type { SealedCursors } from '#server/core/sealed-cursors.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { maySee, type Scope, type Viewer } from '#server/core/viewer.ts';
import type { RuleBook } from './rule-book.ts';
import { mayUseChange, mayUseRule, toRuleHistory, type RuleAt } from './rule-scope.ts';
import { MAX_RULE_CHANGES, type RuleStore } from './rule-store.ts';

export interface HistoryParts {
  readonly store: Pick<RuleStore, 'alertChanges' | 'ruleChanges'>;
  readonly rules: Pick<RuleBook, 'all'>;
  readonly cursors: SealedCursors;
}

type Reader = Pick<Viewer, 'scope' | 'entitlement'>;

/** Changes of alerts, as a text of JSON. */
export async function describeHistory(
  parts: HistoryParts,
  pairs: Pairs,
  { scope, entitlement }: Reader,
): Promise<string> {
  const query = Object.fromEntries(pairs);
  const owner = JSON.stringify(['alerts', entitlement]);
  const { rule_id: ruleId = null, cursor, limit = String(DEFAULT_LIMIT) } = query;
  const isShown = await createFilter(parts, scope);
  const found = await readPage(
    parts,
    {
      ruleId,
      before: cursor === undefined ? null : parseCursor(parts.cursors.open(cursor, owner)),
      limit: Number(limit),
    },
    isShown,
  );
  const last = found.changes.at(-1);
  // Numbers count the alerts of all.
  const pagination =
    last === undefined || !found.hasMore
      ? {}
      : { cursor: parts.cursors.seal(String(last.number).padStart(LONGEST_NUMBER, '0'), owner) };
  return `{"changes":[${found.changes.map(({ body }) => body).join(',')}],"pagination":${JSON.stringify(pagination)}}`;
}

/** Changes of rules, as a text of JSON. */
export async function describeRuleChanges({ store }: Pick<HistoryParts, 'store'>, scope: Scope): Promise<string> {
  const changes = await store.ruleChanges();
  const shown =
    scope === 'all' ? changes : changes.filter((text) => mayUseChange(scope, JSON.parse(text) as RuleChange));
  return `{"changes":[${shown.join(',')}]}`;
}

const LONGEST_NUMBER = 15;
/** The history is no longer than ten of these. */
const BATCH = 1_000;

type Request = Parameters<RuleStore['alertChanges']>[0];
type Page = Awaited<ReturnType<RuleStore['alertChanges']>>;

async function readPage(
  { store }: HistoryParts,
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

/** Null: all of them are shown. */
async function createFilter({ store, rules }: HistoryParts, scope: Scope): Promise<((body: string) => boolean) | null> {
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

/** By the rule as it was then: its filter may have named others. */
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
