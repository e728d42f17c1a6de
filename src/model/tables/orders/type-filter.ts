import { PRODUCT_TYPES } from '#contract/exchange/order.ts';
import type { GridFilter, GridState } from '../grid-state.ts';

/** The exchange reports both as Future; lists name them apart. */
const FUTURES: readonly string[] = ['Future', 'Perpetual'];

/** In addresses, Future means what the exchange reports as such, perpetuals too; so did it before lists named them apart. */
const DATED = 'Dated future';

interface ReportedType {
  readonly type: string;
  /** Whether the exchange’s filter passes just the rows that the list’s filter does. */
  readonly isExact: boolean;
}

/** The product type that the exchange can filter by; null if there is none. */
export function toReportedType(filter: GridFilter | undefined): ReportedType | null {
  if (filter?.kind !== 'is') return null;
  const types = new Set(filter.texts.map((text) => (FUTURES.includes(text) ? 'Future' : text)));
  const [type = '', ...others] = types;
  if (type === '' || others.length > 0) return null;
  return { type, isExact: type !== 'Future' || FUTURES.every((text) => filter.texts.includes(text)) };
}

/** The filter of the list for the words of an address. */
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

/** Types that the exchange can filter by, and those narrower than its Future; by the words of an address. */
export const REPORTED_TYPES: TypeChoices = PRODUCT_TYPES.map((type) => [
  type,
  type === 'Future' ? 'Future or perpetual' : type,
]);
export const NARROWER_TYPES: TypeChoices = [
  [DATED, 'Future'],
  ['Perpetual', 'Perpetual'],
];

/** The choice that a filter is; empty for any, or for what no choice is. */
export function toTypeChoice(filter: GridFilter | undefined): string {
  const [word = '', ...others] = filter?.kind === 'is' ? toAddress(filter.texts) : [];
  return others.length === 0 ? word : '';
}

export function toTypeFilter(choice: string): GridFilter | null {
  return choice === '' ? null : { kind: 'is', texts: fromAddress([choice]) };
}
