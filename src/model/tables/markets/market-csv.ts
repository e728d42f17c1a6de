import { wireText } from '#contract/exchange/row-notes.ts';
import type { MarketRow } from '../../markets/market-rows.ts';
import type { LaterFigureName } from '../../markets/price-change-names.ts';
import { type TermName, TERMS, toMissing } from '../../markets/contract-terms.ts';
import { sourcesOf, type Quantity } from '../../units/quantity.ts';
import type { Source } from '../../response.ts';
import { describeOverdue } from '../../time/overdue.ts';
import type { CsvColumn } from '#contract/desk/csv-columns.ts';
import {
  toCsvInForm,
  toExactNumber,
  toFileTime,
  toSpreadsheetNumber,
  type Cell,
  type CsvForm,
} from '../../format/csv.ts';

interface Figure {
  readonly name: FigureName;
  readonly read: (row: MarketRow) => Quantity | null;
}

type FigureName = Extract<CsvColumn, `${string}_${'usd' | 'fraction' | 'contracts'}`>;

/**
 * The figures in the order of the screen’s columns: each as a number, and as raw text if it was read from one field.
 */
const FIGURES: readonly Figure[] = [
  { name: 'last_price_usd', read: ({ last }) => last },
  { name: 'settlement_usd', read: ({ settlement }) => settlement },
  { name: 'change_usd', read: ({ change }) => change },
  { name: 'change_fraction', read: ({ changeFraction }) => changeFraction },
  { name: 'volume_24h_contracts', read: ({ volume }) => volume },
  { name: 'volume_24h_usd', read: ({ volumeUsd }) => volumeUsd },
  { name: 'open_interest_contracts', read: ({ openInterest }) => openInterest },
  { name: 'open_interest_usd', read: ({ openInterestUsd }) => openInterestUsd },
  { name: 'settled_rate_per_8h_fraction', read: ({ funding }) => funding?.settled ?? null },
  { name: 'settled_rate_apr_simple_fraction', read: ({ funding }) => funding?.settledApr ?? null },
  { name: 'predicted_rate_per_8h_fraction', read: ({ funding }) => funding?.estimate ?? null },
];

const TERM_CELLS: readonly { readonly name: CsvColumn; readonly term: TermName; readonly kind: 'text' | 'number' }[] = [
  { name: 'final_settlement_at', term: 'expiry', kind: 'text' },
  { name: 'days_to_expiry', term: 'daysLeft', kind: 'number' },
  { name: 'first_trading_day', term: 'firstDay', kind: 'text' },
  { name: 'call_or_put', term: 'right', kind: 'text' },
  { name: 'strike_usd', term: 'strike', kind: 'number' },
  { name: 'underlying_product', term: 'underlyingProduct', kind: 'text' },
  { name: 'legs', term: 'legs', kind: 'text' },
  { name: 'contract_size', term: 'contractSize', kind: 'number' },
  { name: 'tick_size_usd', term: 'tickSize', kind: 'number' },
  { name: 'opens_chicago', term: 'opens', kind: 'text' },
  { name: 'settles_chicago', term: 'settles', kind: 'text' },
];

const NOT_READ = toMissing();

const LATER: readonly { readonly name: LaterFigureName; readonly column: CsvColumn }[] = [
  { name: 'settlementChange', column: 'settlement_change_percent' },
  { name: 'change24h', column: 'change_24h_percent' },
  { name: 'change7d', column: 'change_7d_percent' },
  { name: 'change30d', column: 'change_30d_percent' },
  { name: 'basisUsd', column: 'basis_usd' },
  { name: 'basis', column: 'basis_percent' },
  { name: 'basisYear', column: 'basis_per_year_percent' },
  { name: 'interestChange', column: 'open_interest_change_contracts' },
  { name: 'turnover', column: 'volume_24h_of_open_interest_percent' },
];

const HEADING: readonly CsvColumn[] = [
  'product_id',
  'symbol',
  'name',
  'type',
  'underlying',
  'last_price_at',
  'settlement_at',
  'open_interest_date',
  'settled_rate_at',
  'next_funding_at',
  ...FIGURES.flatMap(({ name }) => [name, `${name}_raw` as const]),
  'predicted_rate_not_current_because',
  'withheld_because',
  'request',
  'responded_at',
  'source',
  'overdue',
  // Newer columns come last, so that programs find the others where they were.
  ...TERM_CELLS.map(({ name }) => name),
  'strike_ticks_raw',
  'terms_withheld_because',
  'hours_to_expiry',
  'change_percent',
  'settled_rate_in_doubt_because',
  'predicted_rate_in_doubt_because',
  'trading',
  'opens_at',
];

/** The times of the responses stay with the figures, because prices move. */
const PROVENANCE = [...HEADING.filter((name) => name.endsWith('_raw')), 'request', 'source'] as const;

/** Writes the rows shown. The later figures that the list shows follow all other columns: the rest has not been read. */
export function toMarketCsv(rows: readonly MarketRow[], form: CsvForm = 'full'): string {
  const changes = LATER.filter(({ name }) => rows.some((row) => (row.changes[name] ?? null) !== null));
  const heading = toMarketHeading(changes.map(({ name }) => name));
  return toCsvInForm(
    form,
    { heading, provenance: PROVENANCE },
    rows.map((row) => [...toCells(row), ...changes.map(({ name }) => toLater(row.changes[name]?.quantity ?? null))]),
  );
}

/**
 * Returns the columns of the full form, with those later figures.
 *
 * @internal Exported for its test.
 */
export function toMarketHeading(changes: readonly LaterFigureName[]): readonly CsvColumn[] {
  return [...HEADING, ...LATER.filter(({ name }) => changes.includes(name)).map(({ column }) => column)];
}

function toDoubts(funding: MarketRow['funding']): readonly Cell[] {
  return [funding?.settledDoubt ?? null, funding?.estimateDoubt ?? null];
}

function toCells(row: MarketRow): readonly Cell[] {
  const { productId, product, lastTime, settlementTime, openInterestDate, funding, check } = row;
  const quantities = FIGURES.map(({ read }) => read(row));
  const changes = LATER.map(({ name }) => row.changes[name]?.quantity ?? null);
  const sources = [
    ...new Set([...quantities, ...changes].flatMap((quantity) => (quantity === null ? [] : sourcesOf(quantity)))),
  ];
  return [
    ...[
      productId,
      product.symbol ?? null,
      product.product_name ?? null,
      product.type ?? null,
      product.contract_size_unit ?? null,
    ],
    ...[
      lastTime,
      settlementTime,
      openInterestDate,
      funding?.settledAt ?? null,
      funding?.interval?.interval_end ?? null,
    ],
    ...quantities.flatMap(toFigure),
    ...[funding?.estimateNotCurrent ?? null, check.reason],
    ...[
      toText(sources, ({ target }) => `GET ${target}`),
      toText(sources, ({ respondedAt }) => (respondedAt === null ? 'unknown' : toFileTime(respondedAt))),
      toText(sources, ({ cache }) => cache),
      toOverdueText(row),
    ],
    ...toTermCells(row),
    toPercent(row.changeFraction),
    ...toDoubts(funding),
    ...toTrading(row),
  ];
}

/**
 * Writes times and days as published, numbers in the unit of their name. A cell is empty if the product has no such
 * term, or it is withheld.
 */
function toTermCells({ product, terms }: MarketRow): readonly Cell[] {
  const all = TERM_CELLS.map(({ term, kind }) => ({
    kind,
    ...(terms === null ? NOT_READ : TERMS[term](product, terms)),
  }));
  const withheld = all.flatMap(({ isWithheld, missing }) => (isWithheld ? (missing ?? []) : []));
  const ticks = wireText(product, 'strike_price');
  return [
    ...all.map(({ kind, value }) => (value === null || kind === 'text' ? value : { digits: String(value) })),
    ticks === undefined ? null : { digits: ticks },
    [...new Set(withheld)].join(' ') || null,
    terms && TERMS.hoursLeft(product, terms).value,
  ];
}

/** Names the overdue figures; null if there are none. */
function toOverdueText({ ages: { overdueRate, overdueSettlement, overdueInterest } }: MarketRow): string | null {
  const kinds = [
    ['settled rate', overdueRate],
    ['settlement', overdueSettlement],
    ['open interest', overdueInterest],
  ] as const;
  return (
    kinds.flatMap(([noun, overdue]) => (overdue === null ? [] : [describeOverdue(noun, overdue)])).join(' ') || null
  );
}

/** Writes a figure. An empty cell means no value or a hidden one, never zero. */
function toFigure(quantity: Quantity | null): readonly Cell[] {
  if (quantity === null) return [null, null];
  const { value, provenance, unit } = quantity;
  const raw = provenance.kind === 'read' ? provenance.wireText : null;
  // Of the computed figures, only fractions may come from a division; the others are exact.
  const isDivided = unit === 'fraction' && raw === null;
  return [isDivided ? toSpreadsheetNumber(value) : toExactNumber(value), raw === null ? null : { digits: raw }];
}

/** Writes a percentage, as on screen and in files of orders. */
function toPercent(fraction: Quantity | null): Cell {
  const value = fraction?.value ?? null;
  return value && { digits: value.times(100).toDecimalPlaces(PERCENT_DIGITS).toFixed() };
}

const PERCENT_DIGITS = 6;

function toLater(quantity: Quantity | null): Cell {
  return quantity?.unit === 'fraction' ? toPercent(quantity) : toExactNumber(quantity?.value);
}

function toTrading({ trading }: MarketRow): readonly Cell[] {
  if (trading === null) return [null, null];
  if (trading.isOpen) return ['open', null];
  return ['closed', trading.opensAt === null ? null : new Date(trading.opensAt).toISOString()];
}

function toText(sources: readonly Source[], describe: (source: Source) => string): string {
  return sources.map(describe).join('; ');
}
