import type { Api } from '#page/client/create-api.ts';
import { ifOffered, readDaily } from '#page/client/read-daily.ts';
import { createPriceChecks } from '#model/markets/market-prices.ts';
import { createOrderDoubts } from '#model/orders/order-doubts.ts';
import { createMarketPriceOf, createTerms, type TermsOf } from '#model/orders/order-terms.ts';
import type { ApiResponse, Source } from '#model/response.ts';
import { createOrderPages, type PageEnd, readPages } from '#page/client/pages.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { Page } from '#contract/exchange/paging.ts';
import type { EvidenceContent, Json } from '#model/evidence/evidence.ts';
import type { Pseudonyms } from '#model/evidence/pseudonyms.ts';
import { isPresent, type OrderRow, toOrderRows } from '#model/orders/order-row.ts';
import { type Pause, toEvidenceRows } from './evidence-rows.ts';
import type { EvidenceReader } from './make-evidence.ts';
import { pickColumns } from '#model/tables/shown-columns.ts';
import { toRowFilter } from '#model/tables/row-filter.ts';
import { createOrderColumns } from '#model/tables/orders/columns.ts';
import { toOrderCells, toOrderHeading } from '#model/tables/orders/order-csv.ts';
import { countMostDigits } from '#model/tables/orders/figure-text.ts';
import { describeFilters } from '#model/tables/orders/filter-text.ts';
import { describeEnd } from './end-text.ts';
import { type HistoryQuery, PAGE_ROWS, toLocalFilter, toRequest } from '#model/tables/orders/history-query.ts';
import {
  disguiseFilters,
  disguiseQuery,
  type ListSubject,
  toOrderConversions,
  type WorkingQuery,
} from '#model/tables/orders/order-evidence.ts';
import type { DeskWorking } from '#contract/desk/desk.ts';
import { toOrderTotals } from '#model/orders/order-totals.ts';
import { countByParts, toPastWord, toSetWord, toWorkingSet, type WorkingSet } from '#model/orders/working-set.ts';
import { arrangeRows, orderRows } from '#model/tables/arrange-rows.ts';
import type { GridState } from '#model/tables/grid.ts';
import { createWorkingRows, type OrderReading } from '#model/tables/orders/create-working-rows.ts';
import { createPastPriceOf, toPastSet } from '#model/orders/past-books.ts';
import type { Instant } from '#contract/exchange/instant.ts';

interface ReadTerms {
  readonly termsOf: TermsOf;
  readonly directory: Source | undefined;
}

function readProducts(api: Api) {
  return Promise.all([ifOffered(api.desk.products({})), readDaily(api)]);
}

/** Reads the data that figures of orders depend on besides the orders, as the lists do. */
async function readTerms(api: Api, areLive: boolean): Promise<ReadTerms> {
  const [directory, daily] = await readProducts(api);
  return {
    termsOf: createTerms(
      directory?.value.products ?? [],
      createPriceChecks(daily),
      createMarketPriceOf(daily.data),
      createOrderDoubts(daily.data, daily.voi, areLive),
    ),
    directory,
  };
}

export interface HistorySubject extends ListSubject {
  readonly screen: 'history';
  /** The filters and the order that the exchange applies. */
  readonly query: HistoryQuery;
  /** Maximum number of pages to read. */
  readonly pages: number;
}

type OrderPage = ApiResponse<Page<Order>>;

export const historyReader: EvidenceReader<HistorySubject> = { read: readHistory, disguise: disguiseHistory };

/** Reads the first pages of the history, as many as the list had read, and applies the list’s own filters. */
async function readHistory(api: Api, subject: HistorySubject, pause: Pause): Promise<EvidenceContent> {
  const { termsOf, directory } = await readTerms(api, false);
  const { pages, end } = await readSome(api, subject);
  const all = pages.flatMap((page) => toOrderRows(page.value.data, page, termsOf, subject.venue_ahead_ms));
  const distinct = [...new Map(all.map((row) => [row.order.id, row])).values()];
  await pause();
  const columns = createOrderColumns({
    mostDigits: countMostDigits(distinct),
    zone: subject.zone,
    isNarrow: subject.narrow,
  });
  const passes = toRowFilter(columns, toLocalFilter(subject));
  const rows = passes === null ? distinct : distinct.filter(passes);
  return {
    filters: [...describeQuery(subject.query), ...describeFilters(columns, toLocalFilter(subject))],
    ...(await toEvidenceRows({
      rows,
      columns: pickColumns(columns, subject.columns),
      heading: toOrderHeading('full'),
      toCells: (row) => toOrderCells(row, 'history', 'full'),
      pause,
    })),
    totals: null,
    proof: toHistoryProof({ pages, end }, all, distinct, rows.length),
    conversions: toOrderConversions(rows, directory),
  };
}

function disguiseHistory(subject: HistorySubject, pseudonyms: Pseudonyms): HistorySubject {
  return {
    ...subject,
    query: disguiseQuery(subject.query, pseudonyms),
    filters: disguiseFilters(subject.filters, pseudonyms),
  };
}

interface ReadSome {
  readonly pages: readonly OrderPage[];
  /** Null if more pages may follow. */
  readonly end: PageEnd | null;
}

async function readSome(api: Api, { query, pages: most }: HistorySubject): Promise<ReadSome> {
  const reading = readPages<Order, OrderPage>(createOrderPages(api, toRequest(query), PAGE_ROWS));
  const pages: OrderPage[] = [];
  while (pages.length < most) {
    const step = await reading.next();
    if (step.done === true) return { pages, end: step.value };
    pages.push(step.value);
  }
  // A last page without a cursor is the end, which is known without reading on.
  const last = pages.at(-1);
  return { pages, end: last !== undefined && !last.value.pagination.cursor ? 'no cursor' : null };
}

function describeQuery({ order, ...filters }: HistoryQuery): readonly string[] {
  const sent = Object.entries(filters)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `By the exchange: ${name} is ${text}`);
  return [...sent, order === 'desc' ? 'Newest first' : 'Oldest first'];
}

function toHistoryProof(
  { pages, end }: ReadSome,
  all: readonly OrderRow[],
  distinct: readonly OrderRow[],
  shown: number,
): Json {
  const setAside = pages.reduce((sum, page) => sum + page.setAside.length, 0);
  return {
    complete: end !== null && end !== 'repeated cursor' && setAside === 0,
    ended_because:
      end === null
        ? 'Not read to the end of the list: only as many pages were read as the subject in the manifest names.'
        : describeEnd(end),
    rows: shown,
    orders_read: distinct.length,
    received_more_than_once: all.length - distinct.length,
    failed_validation: setAside,
    pages: pages.map(({ target, respondedAt, value: { data, pagination }, setAside: invalid }) => ({
      answer: `GET ${target}`,
      read_at: respondedAt,
      orders: data.length + invalid.length,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
      has_cursor: Boolean(pagination.cursor),
    })),
  };
}

interface ArrangedSubject extends ListSubject, Pick<GridState, 'sorts' | 'grouping'> {
  /**
   * The exchange’s filters, so that the responses contain no other orders. Absent in files of earlier versions, which
   * hold all orders.
   */
  readonly query?: WorkingQuery;
}

export interface WorkingSubject extends ArrangedSubject {
  readonly screen: 'orders';
}

export const workingReader: EvidenceReader<WorkingSubject> = { read: readWorking, disguise: disguiseArranged };

/** Reads the working orders that pass the filters, in the order of the list. */
async function readWorking(api: Api, subject: WorkingSubject, pause: Pause): Promise<EvidenceContent> {
  const [response, { termsOf, directory }] = await Promise.all([
    api.desk.working(toRequestFilters(subject)),
    readTerms(api, true),
  ]);
  const set = toWorkingSet(response.value, response.setAside.length);
  const reading = { orders: set.orders, source: response, parts: response.value.parts, termsOf };
  return toArrangedContent(subject, {
    ...{ reading, directory, pause, by: 'the exchange' },
    word: toSetWord({ completeness: set.completeness, isStale: response.staleBecause !== null }),
    toProof: (shown) => toWorkingProof(response, set, shown),
  });
}

export interface PastSubject extends ArrangedSubject {
  readonly screen: 'past';
  /** The instant of the book. */
  readonly at: Instant;
}

export const pastReader: EvidenceReader<PastSubject> = { read: readPast, disguise: disguiseArranged };

/** Reads the orders that were working at an instant, with the market prices that were recorded then. */
async function readPast(api: Api, subject: PastSubject, pause: Pause): Promise<EvidenceContent> {
  const [book, [directory, daily]] = await Promise.all([
    api.desk.journalBook({ ...toRequestFilters(subject), at: subject.at }),
    readProducts(api),
  ]);
  const prices = await api.desk.journalPrices({ at: book.value.read_to });
  const { value, setAside, target } = book;
  const { orders, completeness } = toPastSet(value, setAside.length);
  const reading = {
    orders,
    source: { ...book, respondedAt: value.read_to },
    parts: [{ filter: {}, count: orders.length, read_at: value.read_to }],
    termsOf: createTerms(directory?.value.products ?? [], createPriceChecks(daily), createPastPriceOf(prices)),
  };
  return toArrangedContent(subject, {
    ...{ reading, directory, pause, by: 'the journal' },
    word: toPastWord([{ completeness }]),
    toProof: (shown) => ({
      complete: completeness.complete,
      why_not: completeness.reasons,
      rows: shown,
      working_orders: completeness.orders,
      received_more_than_once: completeness.repeated,
      failed_validation: setAside.length,
      read_from: value.read_from,
      read_to: value.read_to,
      next_read_at: value.next_read_at,
      answer: `GET ${target}`,
      market_prices_read_at: prices.value.read_at,
      market_prices_missing: prices.value.missing,
      market_prices_answer: `GET ${prices.target}`,
    }),
  });
}

function toRequestFilters({ query }: ArrangedSubject): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(query ?? {}));
}

interface ArrangedReading {
  readonly reading: Omit<OrderReading, 'offsetMs'>;
  readonly directory: Source | undefined;
  readonly pause: Pause;
  /** Who applied the filters of the request. */
  readonly by: string;
  /** Says in each row whether the set is complete. */
  readonly word: string;
  readonly toProof: (shown: number) => Json;
}

/** Filters and sorts the orders of a reading as the list does. */
async function toArrangedContent(
  subject: ArrangedSubject,
  { reading, directory, pause, by, word, toProof }: ArrangedReading,
): Promise<EvidenceContent> {
  const { rows: all } = createWorkingRows()({ ...reading, offsetMs: subject.venue_ahead_ms });
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
  return {
    filters: [
      ...Object.entries(subject.query ?? {}).map(([name, text]) => `By ${by}: ${name} is ${text}`),
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
    proof: toProof(rows.length),
    conversions: toOrderConversions(rows, directory),
  };
}

function disguiseArranged<Subject extends ArrangedSubject>(subject: Subject, pseudonyms: Pseudonyms): Subject {
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

function toWorkingProof(
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
