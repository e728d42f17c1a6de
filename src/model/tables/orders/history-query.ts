import type { RequestOf } from '../../request-types.ts';
import { readDay } from '../../format/day.ts';
import { parseBound, toBoundInstant } from '../../time/time-range.ts';
import type { GridFilter, GridState } from '../grid-state.ts';
import { textParam } from '../../format/url-param.ts';
import { toReportedType } from './type-filter.ts';

/** The filters and the order that the exchange applies. Texts are as entered; empty means no filter. */
export interface HistoryQuery {
  readonly symbol: string;
  readonly product_id: string;
  readonly product_type: string;
  readonly clearing_member_code: string;
  readonly account_id: string;
  readonly connection_id: string;
  readonly day: string;
  readonly begin_time: string;
  readonly end_time: string;
  readonly order: 'asc' | 'desc';
}

/** Filters without a column in the list. */
export const QUERY_PARAMS = {
  product_id: textParam('product'),
  day: textParam('day'),
  begin_time: textParam('from'),
  end_time: textParam('to'),
} as const;

export const QUERY_TITLES: Readonly<Record<keyof typeof QUERY_PARAMS, string>> = {
  product_id: 'Product ID',
  day: 'Trading day',
  begin_time: 'From (UTC)',
  end_time: 'To (UTC)',
};

export type TimeName = Exclude<keyof typeof QUERY_PARAMS, 'product_id'>;

/** Why a text is not sent to the exchange; null for a time, and for none. */
export function describeBadTime(name: TimeName, text: string): string | null {
  const isTime = name === 'day' ? readDay(text) !== null : text.trim() === 'now' || parseBound(text) !== null;
  if (isTime || text.trim() === '') return null;
  return name === 'day' ? 'Not a day: YYYY-MM-DD' : 'Not a time';
}

export type QueryTexts = Readonly<Record<keyof typeof QUERY_PARAMS, string>>;

/** Columns that the exchange can filter by one value, and its name for them. */
export const QUERY_COLUMNS = {
  product: 'symbol',
  type: 'product_type',
  firm: 'clearing_member_code',
  account: 'account_id',
  connection: 'connection_id',
} as const;

type QueryColumn = keyof typeof QUERY_COLUMNS;

const QUERY_COLUMN_IDS = Object.keys(QUERY_COLUMNS) as readonly QueryColumn[];

/** What the exchange filters by in place of the filters of columns; empty where it cannot. */
export function toColumnQuery(
  filters: GridState['filters'],
): Readonly<Record<(typeof QUERY_COLUMNS)[QueryColumn], string>> {
  const value = (id: QueryColumn): string => toQueryValue(filters[id]) ?? '';
  return {
    symbol: value('product'),
    product_type: toReportedType(filters['type'])?.type ?? '',
    clearing_member_code: value('firm'),
    account_id: value('account'),
    connection_id: value('connection'),
  };
}

/** The part of a list’s state that is sent to the exchange, with times that count back from now resolved. */
export function toHistoryQuery(
  { filters, sorts }: Pick<GridState, 'filters' | 'sorts'>,
  texts: QueryTexts,
  nowMs: number,
): HistoryQuery {
  const [first] = sorts;
  return {
    ...toColumnQuery(filters),
    product_id: texts.product_id,
    day: texts.day,
    begin_time: toBoundInstant(texts.begin_time, 'from', nowMs) ?? texts.begin_time,
    end_time: toBoundInstant(texts.end_time, 'to', nowMs) ?? texts.end_time,
    order: first?.id === 'time' && !first.desc ? 'asc' : 'desc',
  };
}

/** The filters that are left to this page, for rows in memory. */
export function toLocalFilter({
  filters,
  quick,
}: Pick<GridState, 'filters' | 'quick'>): Pick<GridState, 'filters' | 'quick'> {
  const local = Object.entries(filters).filter(([id, filter]) => isLocal(id, filter));
  return { quick: quick.trim(), filters: Object.fromEntries(local) };
}

/** Whether this page applies a column’s filter, at least in part. */
export function isLocal(id: string, filter: GridFilter): boolean {
  if (id === 'type') return toReportedType(filter)?.isExact !== true;
  return !(QUERY_COLUMN_IDS as readonly string[]).includes(id) || toQueryValue(filter) === null;
}

/** Clears the filters of this page; those of the exchange stay. */
export function withoutLocalFilter<State extends Pick<GridState, 'filters' | 'quick'>>(state: State): State {
  const local = toLocalFilter(state).filters;
  return {
    ...state,
    quick: '',
    filters: Object.fromEntries(Object.entries(state.filters).filter(([id]) => !(id in local))),
  };
}

/** The request, without empty filters. The desk validates the texts. */
export function toRequest(query: HistoryQuery): Omit<RequestOf<'orders'>, 'cursor'> {
  const filters = Object.entries(query).filter(([, text]) => text !== '');
  // The desk checks each text and names an invalid parameter.
  return Object.fromEntries(filters);
}

/** The exchange cannot filter by an empty text. */
function toQueryValue(filter: GridFilter | undefined): string | null {
  const [text = '', ...others] = filter?.kind === 'is' ? filter.texts : [];
  return text === '' || others.length > 0 ? null : text;
}

/** Whether new orders can still enter the list. */
export function isOpenEnded({ day, end_time }: HistoryQuery, now: number): boolean {
  const end = end_time === '' || end_time === 'now' ? Number.POSITIVE_INFINITY : Date.parse(end_time);
  // In any time zone a trading day ends at most a day after its date begins in UTC.
  return day === '' ? !(end <= now) : !(Date.parse(`${day}T00:00:00Z`) + 2 * DAY_MS <= now);
}

const DAY_MS = 86_400_000;
