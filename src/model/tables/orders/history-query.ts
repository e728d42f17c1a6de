import { PRODUCT_TYPES } from '#contract/exchange/order.ts';
import type { GridFilter, GridState } from '../grid.ts';
import type { RequestOf } from '../../request-types.ts';
import { readDay } from '../../format/format-time.ts';
import { parseBound, toBoundInstant } from '../../time/written-time.ts';
import { textParam } from '../../format/url-param.ts';

/** The exchange reports both as Future; lists distinguish them. */
const FUTURES: readonly string[] = ['Future', 'Perpetual'];

/**
 * In addresses, Future has the exchange’s meaning, which includes perpetuals, as it did before lists distinguished
 * them. This word stands for dated futures alone.
 */
const DATED = 'Dated future';

interface ReportedType {
  readonly type: string;
  /** Whether the exchange’s filter passes exactly the rows that the list’s filter does. */
  readonly isExact: boolean;
}

/**
 * Returns the product type that the exchange can filter by; null if there is none.
 *
 * @internal Exported for its test.
 */
export function toReportedType(filter: GridFilter | undefined): ReportedType | null {
  if (filter?.kind !== 'is') return null;
  const types = new Set(filter.texts.map((text) => (FUTURES.includes(text) ? 'Future' : text)));
  const [type = '', ...others] = types;
  if (type === '' || others.length > 0) return null;
  return { type, isExact: type !== 'Future' || FUTURES.every((text) => filter.texts.includes(text)) };
}

/** Returns the list’s filter for the words of an address. */
function fromAddress(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => (text === 'Future' ? FUTURES : text === DATED ? 'Future' : text)))];
}

function toAddress(texts: readonly string[]): readonly string[] {
  if (FUTURES.every((text) => texts.includes(text))) return texts.filter((text) => text !== 'Perpetual');
  return texts.map((text) => (text === 'Future' ? DATED : text));
}

type Filters = GridState['filters'];

function withTypes(filters: Filters, toTexts: (texts: readonly string[]) => readonly string[]): Filters {
  const { type } = filters;
  return type?.kind === 'is' ? { ...filters, type: { kind: 'is', texts: toTexts(type.texts) } } : filters;
}

export function readTypes<State extends Pick<GridState, 'filters'>>(state: State): State {
  return { ...state, filters: withTypes(state.filters, fromAddress) };
}

export function writeTypes<State extends Pick<GridState, 'filters'>>(state: State): State {
  return { ...state, filters: withTypes(state.filters, toAddress) };
}

type TypeChoices = readonly (readonly [word: string, label: string])[];

/** The types that the exchange can filter by, and those narrower than its Future, as written in addresses. */
export const REPORTED_TYPES: TypeChoices = PRODUCT_TYPES.map((type) => [
  type,
  type === 'Future' ? 'Future or perpetual' : type,
]);
export const NARROWER_TYPES: TypeChoices = [
  [DATED, 'Future'],
  ['Perpetual', 'Perpetual'],
];

/** Returns the choice that a filter stands for; empty for no filter, or one that is no choice. */
export function toTypeChoice(filter: GridFilter | undefined): string {
  const [word = '', ...others] = filter?.kind === 'is' ? toAddress(filter.texts) : [];
  return others.length === 0 ? word : '';
}

export function toTypeFilter(choice: string): GridFilter | null {
  return choice === '' ? null : { kind: 'is', texts: fromAddress([choice]) };
}

const LOADED_ONLY = 'Applies to loaded orders only.';

/** Describes who applies the filter of a column: the exchange, or this page to the orders loaded so far. */
export function describeScope(columnId: string, filter: GridFilter | undefined): string {
  if (columnId === 'time') return `${LOADED_ONLY} To have the exchange filter by time, set From and To above the list.`;
  if (!(columnId in QUERY_COLUMNS)) return LOADED_ONLY;
  if (filter === undefined)
    return 'The exchange filters by one exact value. Several values, or “Contains”, apply to loaded orders only.';
  if (!isLocal(columnId, filter)) return 'Filtered by the exchange.';
  const reported = columnId === 'type' ? toReportedType(filter) : null;
  return reported === null
    ? `${LOADED_ONLY} The exchange filters by one value.`
    : `The exchange filters by ${reported.type}, which includes perpetuals; the rest applies to loaded orders only.`;
}

/** A large page costs no more of the request budget than a small one. */
export const PAGE_ROWS = 500;

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

/** Explains why a text is not sent to the exchange; null for a time and for an empty text. */
export function describeBadTime(name: TimeName, text: string): string | null {
  const isTime = name === 'day' ? readDay(text) !== null : text.trim() === 'now' || parseBound(text) !== null;
  if (isTime || text.trim() === '') return null;
  return name === 'day' ? 'Not a day: YYYY-MM-DD' : 'Not a time';
}

export type QueryTexts = Readonly<Record<keyof typeof QUERY_PARAMS, string>>;

/** Columns that the exchange can filter by one value, with its names for them. */
export const QUERY_COLUMNS = {
  product: 'symbol',
  type: 'product_type',
  firm: 'clearing_member_code',
  account: 'account_id',
  connection: 'connection_id',
} as const;

type QueryColumn = keyof typeof QUERY_COLUMNS;

const QUERY_COLUMN_IDS = Object.keys(QUERY_COLUMNS) as readonly QueryColumn[];

/** Translates column filters to the exchange’s own; empty if it cannot apply them. */
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

/** Returns what a list sends to the exchange, with relative times resolved. */
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

/** Returns the filters that this page applies to rows in memory. */
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

/** Clears the filters that this page applies, but not those of the exchange. */
export function withoutLocalFilter<State extends Pick<GridState, 'filters' | 'quick'>>(state: State): State {
  const local = toLocalFilter(state).filters;
  return {
    ...state,
    quick: '',
    filters: Object.fromEntries(Object.entries(state.filters).filter(([id]) => !(id in local))),
  };
}

/** Builds the request without empty filters. The server checks each text and names an invalid parameter. */
export function toRequest(query: HistoryQuery): Omit<RequestOf<'orders'>, 'cursor'> {
  const filters = Object.entries(query).filter(([, text]) => text !== '');
  return Object.fromEntries(filters);
}

/** Returns null for an empty text, by which the exchange cannot filter. */
function toQueryValue(filter: GridFilter | undefined): string | null {
  const [text = '', ...others] = filter?.kind === 'is' ? filter.texts : [];
  return text === '' || others.length > 0 ? null : text;
}

/** Whether new orders can still enter the list. */
export function isOpenEnded({ day, end_time }: HistoryQuery, now: number): boolean {
  const end = end_time === '' || end_time === 'now' ? Number.POSITIVE_INFINITY : Date.parse(end_time);
  // In any time zone, a trading day ends at most a day after its date ends in UTC.
  return day === '' ? !(end <= now) : !(Date.parse(`${day}T00:00:00Z`) + 2 * DAY_MS <= now);
}

const DAY_MS = 86_400_000;
