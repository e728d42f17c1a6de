import type { EvidenceSubject, Json } from '../../evidence/evidence.ts';
import type { OrderRow } from '../../orders/order-row.ts';
import type { OrderTerms } from '../../orders/order-terms.ts';
import type { Source } from '../../response.ts';
import type { Order } from '#contract/exchange/order.ts';
import { orderFilters } from '#contract/exchange/parameters.ts';
import type { GridFilter, GridState } from '../grid.ts';
import { isLocal, QUERY_COLUMNS, toColumnQuery } from './history-query.ts';
import { ALIAS_KINDS, type AliasKind, OWNER_FILTERS } from '#contract/desk/aliases.ts';
import type { Pseudonyms } from '../../evidence/pseudonyms.ts';
import { listShown } from '../shown-columns.ts';
import type { Zone } from '../../format/format-time.ts';

/** Describes how prices and quantities of each product were converted, in the order in which the products appear. */
export function toOrderConversions(rows: readonly OrderRow[], directory: Source | undefined): readonly Json[] {
  return [...new Set(rows.map(({ terms }) => terms))].map((terms) => toConversion(terms, directory));
}

function toConversion(terms: OrderTerms, directory: Source | undefined): Json {
  return {
    product_id: terms.productId,
    symbol: terms.product?.symbol ?? null,
    ...toFactors(terms),
    ...toMarket(terms),
    check: terms.check?.verdict ?? null,
    answer: directory === undefined ? null : `GET ${directory.target}`,
  };
}

function toFactors({ product, doubt, conversion, contractSize }: OrderTerms) {
  const spec = conversion?.spec ?? null;
  return {
    rule: 'price_usd = price_ticks × usd_per_tick; notional_usd = quantity_remaining × price_usd × contract_size',
    usd_per_tick: conversion?.factor ?? null,
    usd_per_tick_from: spec && `${spec.field} = ${spec.wireText}`,
    contract_size: contractSize?.toFixed() ?? null,
    contract_size_unit: product?.contract_size_unit ?? null,
    withheld: conversion?.withheld ?? (doubt && doubt.reason),
  };
}

/** Adds the market prices behind distances and the underlying notional. */
function toMarket({ market, underlying }: OrderTerms) {
  return {
    market_price_ticks: market?.price.value?.toFixed() ?? null,
    market_price_is: market?.is ?? null,
    underlying: underlying?.of ?? null,
    underlying_units_per_contract: underlying?.units.toFixed() ?? null,
  };
}

type FilterName = (typeof QUERY_COLUMNS)[keyof typeof QUERY_COLUMNS];

/** The filters that the exchange applies to working orders. */
export type WorkingQuery = Readonly<Partial<Record<FilterName, string>>>;

type Filter = Pick<GridState, 'filters' | 'quick'>;

interface DividedFilter {
  readonly query: WorkingQuery;
  /** The column filters that the query covers. */
  readonly asked: GridState['filters'];
  /** The filters that are left to the page. Orders that only these exclude are in the response. */
  readonly left: Filter;
}

/** Divides a list’s filter between the exchange and the page. */
export function divideFilters({ filters, quick }: Filter): DividedFilter {
  const texts = toColumnQuery(filters);
  const names = Object.values(QUERY_COLUMNS).filter((name) => orderFilters[name].grammar.accepts(texts[name]));
  const isAskedFor = (id: string, filter: GridState['filters'][string]): boolean =>
    !isLocal(id, filter) && names.some((name) => (QUERY_COLUMNS as Readonly<Record<string, FilterName>>)[id] === name);
  const pick = (wanted: boolean): GridState['filters'] =>
    Object.fromEntries(Object.entries(filters).filter(([id, filter]) => isAskedFor(id, filter) === wanted));
  return {
    query: Object.fromEntries(names.map((name) => [name, texts[name]])),
    asked: pick(true),
    left: { filters: pick(false), quick: quick.trim() },
  };
}

const FIELDS = {
  symbol: 'symbol',
  product_type: 'product_type',
  clearing_member_code: 'clearing_firm_code',
  account_id: 'account_id',
  connection_id: 'connection_id',
} as const satisfies Record<FilterName, keyof Order>;

/** Whether an order is in the response to a query. */
export function isAsked(query: WorkingQuery, order: Order): boolean {
  return (Object.entries(query) as readonly (readonly [FilterName, string])[]).every(
    ([name, text]) => order[FIELDS[name]] === text,
  );
}

/** How a list of orders was arranged. */
export interface ListSubject extends EvidenceSubject, Pick<GridState, 'filters' | 'quick'> {
  /** The shown columns from left to right. */
  readonly columns: readonly string[];
  readonly zone: Zone;
  readonly narrow: boolean;
  /** How far the exchange’s clock was ahead of Perpdesk’s, for ages. */
  readonly venue_ahead_ms: number;
}

interface Surroundings {
  readonly zone: Zone;
  readonly isNarrow: boolean;
  readonly offsetMs: number;
}

/**
 * Describes the arrangement of a list. Local times become UTC, since they would differ on another machine that checks
 * the evidence.
 */
export function toListSubject(
  { filters, quick, ...layout }: GridState,
  { zone, isNarrow, offsetMs }: Surroundings,
): Omit<ListSubject, 'screen'> {
  return {
    filters,
    quick,
    columns: listShown(layout),
    zone: zone === 'local' ? 'utc' : zone,
    narrow: isNarrow,
    venue_ahead_ms: offsetMs,
  };
}

/** Replaces codes in the query by pseudonyms. */
export function disguiseQuery<Query extends object>(query: Query, { of }: Pseudonyms): Query {
  return Object.fromEntries(
    Object.entries(query).map(([name, text]) => {
      const kind = OWNER_FILTERS[name];
      return [name, kind === undefined ? text : of(kind, String(text))];
    }),
  ) as Query;
}

/**
 * Replaces codes in filters by pseudonyms. A filter by a part of a code becomes one by the pseudonyms of all codes that
 * contain it.
 */
export function disguiseFilters(filters: GridState['filters'], pseudonyms: Pseudonyms): GridState['filters'] {
  return Object.fromEntries(
    Object.entries(filters).map(([id, filter]) => {
      const kind = ALIAS_KINDS.find((one) => one === id);
      return [id, kind === undefined ? filter : disguiseFilter(filter, kind, pseudonyms)];
    }),
  );
}

function disguiseFilter(filter: GridFilter, kind: AliasKind, { of, codesOf }: Pseudonyms): GridFilter {
  if (filter.kind === 'is') return { kind: 'is', texts: filter.texts.map((code) => of(kind, code)) };
  if (filter.kind !== 'has' && filter.kind !== 'starts') return filter;
  const wanted = filter.text.toLowerCase();
  const codes = codesOf(kind).filter((code) =>
    filter.kind === 'has' ? code.toLowerCase().includes(wanted) : code.toLowerCase().startsWith(wanted),
  );
  return { kind: 'is', texts: codes.map((code) => of(kind, code)) };
}
