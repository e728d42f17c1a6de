import { OWNER_FILTERS, type AliasKind } from '#contract/desk/aliases.ts';
import { orderFilters, type Parameter } from '#contract/exchange/parameter-sets.ts';
import { isVisible, toOrderFilter, type Pairs } from '#server/core/order-rows.ts';
import type { Scope } from '#server/core/viewer.ts';

/** A sequence of pages of the order history, and which of its rows count: an order in two sequences counts in the first. */
export interface OrderSequence {
  readonly filter: Pairs;
  readonly counts: (row: string) => boolean;
  /** Whether it contains orders of others, among which those that count may be few. */
  readonly isMixed: boolean;
}

/**
 * Beyond it, the orders of all are looked through, which costs less than a read for each. Where very many of others lie
 * between one’s own, pages are then short, and say so much of the others.
 */
const MAX_SEQUENCES = 20;
/** Working orders are read again every few seconds. */
const MAX_OWN_READS = 6;

/**
 * How the orders that a viewer may see are read: by account, clearing firm and connection, so that nothing depends on the
 * orders of others. `query`: the parameters of the request without limit and cursor.
 */
export function planOrderReads(query: Pairs, scope: Exclude<Scope, 'all'>): readonly OrderSequence[] {
  const given = new Map(query);
  const possible = listOwners(scope).filter(({ name, value }) => isSame(name, given.get(name) ?? value, value));
  if (possible.length === 0) return [];
  const isConfined = possible.some(({ name }) => given.has(name));
  if (isConfined) return [{ filter: query, counts: (row) => isVisible(scope, row), isMixed: false }];
  if (possible.length > MAX_SEQUENCES)
    return [{ filter: query, counts: (row) => isVisible(scope, row), isMixed: true }];
  return toSequences(query, possible);
}

/** As few reads as contain all that a viewer may see and nothing of others; null: they would be too many. */
export function planOwnReads(scope: Exclude<Scope, 'all'>): readonly OrderSequence[] | null {
  const owners = listOwners(scope);
  return owners.length > MAX_OWN_READS ? null : toSequences([], owners);
}

function toSequences(query: Pairs, owners: readonly OwnerFilter[]): readonly OrderSequence[] {
  const tests = owners.map(({ name, value }) => toOrderFilter([[name, value]]));
  return owners.map(({ name, value }, place) => ({
    filter: [...query, [name, value]],
    counts: (row) => tests.findIndex((isOf) => isOf(row)) === place,
    isMixed: false,
  }));
}

interface OwnerFilter {
  readonly name: keyof typeof orderFilters;
  readonly value: string;
}

/** In an order that does not change, since cursors refer to it. What is no code of the interface is in no order. */
function listOwners({ accounts, firms, connections }: Exclude<Scope, 'all'>): readonly OwnerFilter[] {
  const codes: Readonly<Record<AliasKind, ReadonlySet<string>>> = {
    account: accounts,
    firm: firms,
    connection: connections,
  };
  const names = Object.keys(OWNER_FILTERS) as readonly OwnerFilter['name'][];
  return names.flatMap((name) => {
    const kind = OWNER_FILTERS[name];
    const { grammar }: Parameter = orderFilters[name];
    return kind === undefined
      ? []
      : [...codes[kind]]
          .filter(grammar.accepts)
          .sort()
          .map((value) => ({ name, value }));
  });
}

function isSame(name: OwnerFilter['name'], one: string, other: string): boolean {
  const { rule }: Parameter = orderFilters[name];
  return rule?.kind === 'equal' && rule.ignoresCase === true
    ? one.toLowerCase() === other.toLowerCase()
    : one === other;
}
