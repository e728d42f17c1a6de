import type { RequestOf } from '#api/request-types.ts';
import { parseMoment, parseRangeEnd } from '#domain/orders/parse-moment.ts';
import type { GridFilter, GridState } from '#ui/grid/grid-state.ts';
import { textParam } from '#ui/navigation/url-param.ts';

/** What the venue is asked, beside where a page begins and how long it is: all texts, as a reader wrote them. */
export interface Question {
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

/** What is asked by no column of the list. */
export const ASKED_PARAMS = { product_id: textParam('product'), day: textParam('day'), begin_time: textParam('from'), end_time: textParam('to') } as const;

export type AskedTexts = Readonly<Record<keyof typeof ASKED_PARAMS, string>>;

/** Columns whose one value the venue filters by, and what it calls it. */
export const ASKED_COLUMNS = {
  product: 'symbol',
  type: 'product_type',
  firm: 'clearing_member_code',
  account: 'account_id',
  connection: 'connection_id',
} as const;

type AskedColumn = keyof typeof ASKED_COLUMNS;

const ASKED_IDS = Object.keys(ASKED_COLUMNS) as readonly AskedColumn[];

/** What of a list's state the venue answers to. */
export function toQuestion({ filters, sorts }: Pick<GridState, 'filters' | 'sorts'>, texts: AskedTexts): Question {
  const value = (id: AskedColumn): string => toAsked(filters[id]) ?? '';
  const [first] = sorts;
  return {
    symbol: value('product'),
    product_type: value('type'),
    clearing_member_code: value('firm'),
    account_id: value('account'),
    connection_id: value('connection'),
    product_id: texts.product_id,
    day: texts.day,
    begin_time: parseMoment(texts.begin_time) ?? texts.begin_time,
    end_time: parseRangeEnd(texts.end_time) ?? texts.end_time,
    order: first?.id === 'time' && !first.desc ? 'asc' : 'desc',
  };
}

/** What of it is left to be done here, on the rows that are in memory. */
export function toLocalFilter({ filters, quick }: Pick<GridState, 'filters' | 'quick'>): Pick<GridState, 'filters' | 'quick'> {
  const local = Object.entries(filters).filter(([id, filter]) => !(ASKED_IDS as readonly string[]).includes(id) || toAsked(filter) === null);
  return { quick: quick.trim(), filters: Object.fromEntries(local) };
}

/** What goes upstream stays asked; nothing that is in memory is filtered out any more. */
export function withoutLocalFilter<State extends Pick<GridState, 'filters' | 'quick'>>(state: State): State {
  const local = toLocalFilter(state).filters;
  return { ...state, quick: '', filters: Object.fromEntries(Object.entries(state.filters).filter(([id]) => !(id in local))) };
}

/** The request, without what is not asked. Whether its texts are good is for the desk to say. */
export function toRequest(question: Question): Omit<RequestOf<'orders'>, 'cursor'> {
  const asked = Object.entries(question).filter(([, text]) => text !== '');
  // The desk holds each text against the interface and names the parameter that is wrong.
  return Object.fromEntries(asked);
}

/** Nothing at all cannot be asked for. */
function toAsked(filter: GridFilter | undefined): string | null {
  const [text = '', ...others] = filter?.kind === 'is' ? filter.texts : [];
  return text === '' || others.length > 0 ? null : text;
}

/** Whether orders can still come into the list at its newest end. */
export function isOpenEnded({ day, end_time }: Question, now: number): boolean {
  const end = end_time === '' || end_time === 'now' ? Number.POSITIVE_INFINITY : Date.parse(end_time);
  // A trading day ends at most a day after its date begins, wherever that is.
  return day === '' ? !(end <= now) : !(Date.parse(`${day}T00:00:00Z`) + 2 * DAY_MS <= now);
}

const DAY_MS = 86_400_000;
