import { ALIAS_KINDS } from '#contract/desk/aliases.ts';
import { parseBound } from '#model/time/written-time.ts';
import { formatSort, type GridFilter, type GridState, parseSort } from '#model/tables/grid.ts';
import { NOT_AVAILABLE } from '#model/tables/orders/figure-text.ts';
import { formatColumns, parseColumns, type ShownColumns } from '#model/tables/orders/column-layout.ts';

/** The part of a list’s state that an address or a saved view holds. */
export interface ListState extends Pick<GridState, 'sorts' | 'grouping' | 'filters' | 'quick'> {
  /** The name of the saved view that was opened last; empty if none. */
  readonly view: string;
  /** Null for the default columns. */
  readonly columns: ShownColumns | null;
}

const SEPARATOR = '~';

/** Writes the state into a query; defaults are omitted to keep addresses short. */
export function writeListState(query: URLSearchParams, state: ListState): void {
  put(query, 'q', state.quick);
  put(query, 'sort', formatSort(state.sorts));
  put(query, 'group', state.grouping.join());
  put(query, 'cols', state.columns === null ? '' : formatColumns(state.columns));
  put(query, 'view', state.view);
  for (const name of ['f', ...ALIAS_KINDS]) query.delete(name);
  for (const [id, filter] of Object.entries(state.filters)) query.append('f', formatFilter(id, filter));
}

/** Reads the state from a query, ignoring unknown columns and malformed filters. */
export function readListState(query: URLSearchParams, columns: readonly string[]): ListState {
  const known = (id: string): boolean => columns.includes(id);
  return {
    quick: query.get('q') ?? '',
    view: query.get('view') ?? '',
    sorts: parseSort(query.get('sort') ?? '', columns),
    grouping: [...new Set(split(query.get('group')).filter(known))],
    filters: Object.fromEntries([
      ...ALIAS_KINDS.flatMap((id) => parseFormer(query.get(id)?.trim() ?? '', id, known)),
      ...query.getAll('f').flatMap((text) => parseFilter(text, known)),
    ]),
    columns: parseColumns(query.get('cols') ?? '', known),
  };
}

/** Addresses of earlier versions named one owner: `account=HALC-101`. */
function parseFormer(text: string, id: string, known: (id: string) => boolean): ReturnType<typeof parseFilter> {
  return text !== '' && known(id) ? [[id, { kind: 'is', texts: [text] }]] : [];
}

export function formatFilter(id: string, filter: GridFilter): string {
  switch (filter.kind) {
    case 'has':
    case 'starts':
      return `${id}:${filter.kind}:${filter.text}`;
    case 'is':
      return `${id}:is:${filter.texts.map(escapeText).join(SEPARATOR)}`;
    case 'between':
      return `${id}:between:${String(filter.from ?? '')}${SEPARATOR}${String(filter.to ?? '')}`;
    case 'within':
      return `${id}:within:${filter.from}${SEPARATOR}${filter.to}`;
  }
}

export function parseFilter(text: string, known: (id: string) => boolean): readonly (readonly [string, GridFilter])[] {
  const [, id = '', kind = '', value = ''] = /^(\w+):(\w+):(.*)$/.exec(text) ?? [];
  if (!known(id)) return [];
  if (kind === 'has') return value === '' ? [] : [[id, toCurrentSearch(id, value)]];
  if (kind === 'starts') return value === '' ? [] : [[id, { kind, text: value }]];
  if (kind === 'within') return parseRange(value).map((range) => [id, range] as const);
  if (kind === 'is')
    return [[id, { kind, texts: value.split(SEPARATOR).map((part) => toCurrentText(id, unescapeText(part))) }]];
  return kind === 'between' ? parseBounds(value).map((bounds) => [id, bounds] as const) : [];
}

/** Maps cell texts in links and saved views of earlier versions to the present texts. */
const FORMER_STATUSES: ReadonlyMap<string, string> = new Map([
  ['Working, partly filled', 'Partially filled'],
  ['Working, filled', 'Filled, not yet closed'],
  ['Partly filled, then closed', 'Closed, partially filled'],
  ['Closed unfilled', 'Closed, unfilled'],
  ['More filled than asked', 'Quantity withheld'],
  ['Overfilled', 'Quantity withheld'],
  ['Gone', 'No longer working'],
  ['Unread', 'Unconfirmed'],
]);
const PRICED_COLUMNS: ReadonlySet<string> = new Set([
  'price',
  'avgPrice',
  'notional',
  'premium',
  'difference',
  'filledNotional',
]);

function toCurrentText(columnId: string, text: string): string {
  if (columnId === 'status') return FORMER_STATUSES.get(text) ?? text;
  return text === 'withheld' && PRICED_COLUMNS.has(columnId) ? NOT_AVAILABLE : text;
}

const STATUSES: readonly string[] = [...FORMER_STATUSES.values(), 'Working', 'Filled'];
/** Shorter texts are too ambiguous to be taken for a word of an earlier version. */
const MIN_WORD_LENGTH = 4;

/** Translates a search for part of an earlier version's cell text, which would match nothing now. */
function toCurrentSearch(columnId: string, text: string): GridFilter {
  const isIn = (cell: string): boolean => cell.toLowerCase().includes(text.toLowerCase());
  if (text.length >= MIN_WORD_LENGTH && columnId === 'status' && !STATUSES.some(isIn)) {
    const texts = [...FORMER_STATUSES].filter(([former]) => isIn(former)).map(([, current]) => current);
    if (texts.length > 0) return { kind: 'is', texts };
  }
  if (text.length >= MIN_WORD_LENGTH && PRICED_COLUMNS.has(columnId) && isIn('withheld'))
    return { kind: 'has', text: NOT_AVAILABLE };
  return { kind: 'has', text };
}

/** Escapes the separator within a text. */
function escapeText(text: string): string {
  return text.replaceAll('%', '%25').replaceAll(SEPARATOR, '%7E');
}

function unescapeText(text: string): string {
  return text.replaceAll('%7E', SEPARATOR).replaceAll('%25', '%');
}

function parseBounds(text: string): readonly GridFilter[] {
  const [from = null, to = null] = text.split(SEPARATOR).map(toBound);
  return from === null && to === null ? [] : [{ kind: 'between', from, to }];
}

function parseRange(text: string): readonly GridFilter[] {
  const [from = '', to = ''] = text.split(SEPARATOR).map((bound) => parseBound(bound) ?? '');
  return from === '' && to === '' ? [] : [{ kind: 'within', from, to }];
}

function toBound(text: string): number | null {
  return text === '' || !Number.isFinite(Number(text)) ? null : Number(text);
}

function split(text: string | null): readonly string[] {
  return text === null || text === '' ? [] : text.split(',');
}

function put(query: URLSearchParams, name: string, value: string): void {
  if (value === '') query.delete(name);
  else query.set(name, value);
}
