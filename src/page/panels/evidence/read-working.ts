import type { ApiResponse } from '#model/response.ts';
import type { Api } from '#page/client/create-api.ts';
import type { DeskWorking } from '#contract/desk/desk.ts';
import type { EvidenceContent, Json } from '#model/evidence/evidence.ts';
import type { Pseudonyms } from '#model/evidence/pseudonyms.ts';
import { isPresent, type OrderRow } from '#model/orders/order-row.ts';
import { toOrderTotals } from '#model/orders/order-totals.ts';
import { countByParts } from '#model/orders/part-counts.ts';
import { toWorkingSet, type WorkingSet } from '#model/orders/working-set.ts';
import { toEvidenceRows, type Pause } from './evidence-rows.ts';
import type { EvidenceReader } from './make-evidence.ts';
import { pickColumns } from '#model/tables/shown-columns.ts';
import { arrangeRows } from '#model/tables/arrange-rows.ts';
import type { GridState } from '#model/tables/grid-state.ts';
import { orderRows } from '#model/tables/row-order.ts';
import { createOrderColumns } from '#model/tables/orders/columns.ts';
import { toOrderCells, toOrderHeading } from '#model/tables/orders/order-csv.ts';
import { toSetWord } from '#model/tables/orders/working-statement.ts';
import { countMostDigits } from '#model/tables/orders/figure-text.ts';
import { describeFilters } from '#model/tables/orders/filter-text.ts';
import { createWorkingRows } from '#model/tables/orders/create-working-rows.ts';
import type { WorkingQuery } from '#model/tables/orders/exchange-filters.ts';
import { toOrderConversions } from '#model/tables/orders/order-conversions.ts';
import { disguiseFilters, disguiseQuery, type ListSubject } from '#model/tables/orders/order-subject.ts';
import { readTerms } from './read-terms.ts';

export interface WorkingSubject extends ListSubject, Pick<GridState, 'sorts' | 'grouping'> {
  readonly screen: 'orders';
  /** What the exchange filters by, so that no other orders are in the answers; absent in files of earlier versions, which hold all. */
  readonly query?: WorkingQuery;
}

export const workingReader: EvidenceReader<WorkingSubject> = { read, disguise };

/** The working orders that pass the filters, in the order of the list. */
async function read(api: Api, subject: WorkingSubject, pause: Pause): Promise<EvidenceContent> {
  const asked = Object.entries(subject.query ?? {});
  const [response, { termsOf, directory }] = await Promise.all([
    api.desk.working(Object.fromEntries(asked)),
    readTerms(api),
  ]);
  const { parts } = response.value;
  const set = toWorkingSet(response.value, response.setAside.length);
  const { rows: all } = createWorkingRows()({
    orders: set.orders,
    source: response,
    parts,
    termsOf,
    offsetMs: subject.venue_ahead_ms,
  });
  await pause();
  const columns = createOrderColumns({
    mostDigits: countMostDigits(all),
    zone: subject.zone,
    isNarrow: subject.narrow,
  });
  const order = orderRows(all, columns, subject, isPresent);
  const rows = arrangeRows(
    { rows: all, columns, keyOf, arrangement: subject, closed: new Set(), isCounted: isPresent },
    order,
  ).matching();
  const word = toSetWord({ completeness: set.completeness, isStale: response.staleBecause !== null });
  return {
    filters: [
      ...asked.map(([name, text]) => `By the exchange: ${name} is ${text}`),
      ...describeFilters(columns, subject),
    ],
    ...(await toEvidenceRows({
      rows,
      columns: pickColumns(columns, subject.columns),
      heading: toOrderHeading('full'),
      toCells: (row) => toOrderCells(row, word, 'full'),
      pause,
    })),
    totals: toTotals(rows),
    proof: toProof(response, set, rows.length),
    conversions: toOrderConversions(rows, directory),
  };
}

function disguise(subject: WorkingSubject, pseudonyms: Pseudonyms): WorkingSubject {
  const { query, filters } = subject;
  return {
    ...subject,
    ...(query !== undefined && { query: disguiseQuery(query, pseudonyms) }),
    filters: disguiseFilters(filters, pseudonyms),
  };
}

function keyOf({ order }: OrderRow): string {
  return order.id;
}

function toTotals(rows: readonly OrderRow[]): Json {
  return toOrderTotals(rows).sides.map(
    ({ side, orders, remaining, products, values, underlying, withoutUsd, withoutUnderlying, uncounted }) => ({
      side,
      orders,
      working_quantity_contracts: remaining?.toFixed() ?? null,
      products,
      notional_usd: values.outright?.toFixed() ?? null,
      option_premium_usd: values.premium?.toFixed() ?? null,
      spread_value_usd: values.difference?.toFixed() ?? null,
      underlying_notional_usd: underlying?.toFixed() ?? null,
      orders_without_usd: withoutUsd,
      orders_without_underlying: withoutUnderlying,
      orders_not_counted: uncounted,
    }),
  );
}

function toProof(
  { value, setAside, staleBecause, target }: ApiResponse<DeskWorking>,
  { completeness }: WorkingSet,
  shown: number,
): Json {
  const { counts, inNoPart, inSeveralParts } = countByParts(value.orders, value.parts);
  return {
    complete: completeness.complete,
    why_not: completeness.reasons,
    rows: shown,
    working_orders: completeness.orders,
    received_more_than_once: completeness.repeated,
    failed_validation: setAside.length,
    in_no_part: inNoPart,
    in_several_parts: inSeveralParts,
    read_from: completeness.readFrom,
    read_to: completeness.readTo,
    stale_because: staleBecause,
    answer: `GET ${target}`,
    parts: completeness.parts.map(({ filter, count, readAt }, place) => ({
      filter,
      reported: count,
      counted: counts[place] ?? 0,
      read_at: readAt,
    })),
  };
}
