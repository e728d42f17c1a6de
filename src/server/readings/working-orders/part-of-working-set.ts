import type { WorkingDrop } from '#contract/desk/desk.ts';
import { joinFields } from '#contract/parse/json-split.ts';
import { cutAtList, cutRows } from '#contract/parse/row-texts.ts';
import { setBounded } from '#server/core/bounded-map.ts';
import type { RowText } from '#server/journal/segment/change.ts';
import { ownerOf, toOrderFilter, type Pairs } from '#server/core/order-rows.ts';
import { maySee, type Owner, type Viewer } from '#server/core/viewer.ts';
import { describeDrop } from './describe-working-set.ts';

/** The working set as one viewer may see it, from the text of the whole, which is read once for all. */
export type PartOfWorkingSet = (whole: string, viewer: Pick<Viewer, 'scope' | 'entitlement'>, filter: Pairs) => string;

type Fields = ReadonlyMap<string, string>;

interface OwnedRow {
  readonly row: string;
  readonly owner: Owner;
}

interface Whole {
  readonly text: string;
  readonly fields: Fields;
  readonly rows: readonly OwnedRow[];
  /** By entitlement: each filters what it may see, and nothing else. */
  readonly visible: Map<string, readonly string[]>;
}

const MAX_ENTITLEMENTS = 1_000;

/** Whose each order is, is found out once for all who may see some of them. `missing`: the orders that the newest whole may lack. */
export function createPartOfWorkingSet(missing: () => Iterable<RowText>): PartOfWorkingSet {
  let last: Whole | null = null;
  return (text, { scope, entitlement }, filter) => {
    const whole = last?.text === text ? last : toWhole(text);
    last = whole;
    const visible =
      whole.visible.get(entitlement) ?? whole.rows.filter(({ owner }) => maySee(scope, owner)).map(({ row }) => row);
    setBounded(whole.visible, entitlement, visible, MAX_ENTITLEMENTS);
    const matches = toOrderFilter(filter);
    const rows = filter.length === 0 ? visible : visible.filter(matches);
    const drop = toOwnDrop(
      whole.fields,
      () => [...missing()].filter((row) => maySee(scope, ownerOf(row)) && matches(row)).length,
    );
    return joinFields([...describeProof(whole.fields, filter, rows.length, drop), ['orders', `[${rows.join(',')}]`]]);
  };
}

function toWhole(text: string): Whole {
  const { fields, list } = cutAtList(text, 'orders');
  const rows = list === null || list === '' ? [] : Array.from(cutRows(list), (row) => ({ row, owner: ownerOf(row) }));
  return { text, fields, rows, visible: new Map() };
}

/**
 * The check as described for all orders, for so many of them: without what depends on the others, such as how many there
 * are and how often they take turns. Values are texts of JSON.
 */
function describeProof(all: Fields, filter: Pairs, count: number, drop: WorkingDrop | null): Fields {
  const [complete = 'false', readFrom = 'null', readTo = 'null'] = ['complete', 'read_from', 'read_to'].map((field) =>
    all.get(field),
  );
  const part = `{"filter":${JSON.stringify(Object.fromEntries(filter))},"count":${String(count)},"read_at":${readTo}}`;
  return new Map([
    ['complete', complete],
    ['unproven', complete === 'true' ? '[]' : JSON.stringify(drop === null ? [SOME_UNPROVEN] : describeDrop(drop))],
    ['drop', JSON.stringify(drop)],
    ['parts', readTo === 'null' ? '[]' : `[${part}]`],
    ['round_seconds', 'null'],
    ['read_from', readFrom],
    ['read_to', readTo],
  ]);
}

/** How many orders of others are missing, and what the history says of them, is not said. */
function toOwnDrop(all: Fields, countOwn: () => number): WorkingDrop | null {
  const drop = JSON.parse(all.get('drop') ?? 'null') as WorkingDrop | null;
  const orders = drop === null || drop.state === 'unverified' ? 0 : countOwn();
  return drop === null || orders === 0 ? null : { state: drop.state, orders, working: null };
}

const SOME_UNPROVEN = 'The last reading could not be proven complete.';
