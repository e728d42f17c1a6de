import type { ApiResponse } from '#model/response.ts';
import type { Api } from '#page/client/create-api.ts';
import { createOrderPages, readPages, type PageEnd } from '#page/client/pages.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { Page } from '#contract/exchange/paging.ts';
import type { EvidenceContent, Json } from '#model/evidence/evidence.ts';
import type { Pseudonyms } from '#model/evidence/pseudonyms.ts';
import { toOrderRows, type OrderRow } from '#model/orders/order-row.ts';
import { toEvidenceRows, type Pause } from './evidence-rows.ts';
import type { EvidenceReader } from './make-evidence.ts';
import { pickColumns } from '#model/tables/shown-columns.ts';
import { toRowFilter } from '#model/tables/row-filter.ts';
import { createOrderColumns } from '#model/tables/orders/columns.ts';
import { toOrderCells, toOrderHeading } from '#model/tables/orders/order-csv.ts';
import { countMostDigits } from '#model/tables/orders/figure-text.ts';
import { describeFilters } from '#model/tables/orders/filter-text.ts';
import { describeEnd } from './end-text.ts';
import { toLocalFilter, toRequest, type HistoryQuery } from '#model/tables/orders/history-query.ts';
import { PAGE_ROWS } from '#model/tables/orders/page-rows.ts';
import { toOrderConversions } from '#model/tables/orders/order-conversions.ts';
import { disguiseFilters, disguiseQuery, type ListSubject } from '#model/tables/orders/order-subject.ts';
import { readTerms } from './read-terms.ts';

export interface HistorySubject extends ListSubject {
  readonly screen: 'history';
  /** What the exchange filters and sorts by. */
  readonly query: HistoryQuery;
  /** How many pages are read at most. */
  readonly pages: number;
}

type OrderPage = ApiResponse<Page<Order>>;

export const historyReader: EvidenceReader<HistorySubject> = { read, disguise };

/** The first pages of the history, as far as the list had read, without what its own filters leave out. */
async function read(api: Api, subject: HistorySubject, pause: Pause): Promise<EvidenceContent> {
  const { termsOf, directory } = await readTerms(api);
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
    proof: toProof({ pages, end }, all, distinct, rows.length),
    conversions: toOrderConversions(rows, directory),
  };
}

function disguise(subject: HistorySubject, pseudonyms: Pseudonyms): HistorySubject {
  return {
    ...subject,
    query: disguiseQuery(subject.query, pseudonyms),
    filters: disguiseFilters(subject.filters, pseudonyms),
  };
}

interface ReadSome {
  readonly pages: readonly OrderPage[];
  /** Null: more pages may follow. */
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
  // Whether the last of them is the end is known without reading on.
  const last = pages.at(-1);
  return { pages, end: last !== undefined && !last.value.pagination.cursor ? 'no cursor' : null };
}

function describeQuery({ order, ...filters }: HistoryQuery): readonly string[] {
  const sent = Object.entries(filters)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `By the exchange: ${name} is ${text}`);
  return [...sent, order === 'desc' ? 'Newest first' : 'Oldest first'];
}

function toProof(
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
    pages: pages.map(({ target, answeredAt, value: { data, pagination }, setAside: invalid }) => ({
      answer: `GET ${target}`,
      read_at: answeredAt,
      orders: data.length + invalid.length,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
      has_cursor: Boolean(pagination.cursor),
    })),
  };
}
