import { wireText } from '#contract/exchange/row-notes.ts';
import type { MarketRow } from '../../markets/market-rows.ts';
import { type TermName, TERMS, toMissing } from '../../markets/contract-terms.ts';
import { sourcesOf, type Quantity } from '../../units/quantity.ts';
import type { Source } from '../../response.ts';
import { describeOverdue } from '../../time/overdue.ts';
import { toCsvInForm, type Cell, type CsvForm } from '../../format/csv.ts';

interface Figure {
  readonly name: string;
  readonly read: (row: MarketRow) => Quantity | null;
}

/**
 * The figures in the order of the screen’s columns: each as a number, and as raw text if it was read from one field.
 */
const FIGURES: readonly Figure[] = [
  { name: 'last_usd', read: ({ last }) => last },
  { name: 'settlement_usd', read: ({ settlement }) => settlement },
  { name: 'change_usd', read: ({ change }) => change },
  { name: 'change_fraction', read: ({ changeFraction }) => changeFraction },
  { name: 'volume_24h_contracts', read: ({ volume }) => volume },
  { name: 'volume_24h_usd', read: ({ volumeUsd }) => volumeUsd },
  { name: 'open_interest_contracts', read: ({ openInterest }) => openInterest },
  { name: 'open_interest_usd', read: ({ openInterestUsd }) => openInterestUsd },
  { name: 'funding_settled_per_interval', read: ({ funding }) => funding?.settled ?? null },
  { name: 'funding_settled_apr_simple', read: ({ funding }) => funding?.settledApr ?? null },
  { name: 'funding_estimate_per_interval', read: ({ funding }) => funding?.estimate ?? null },
];

const TERM_CELLS: readonly { readonly name: string; readonly term: TermName; readonly kind: 'text' | 'number' }[] = [
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

const HEADING = [
  ...[
    'product_id',
    'symbol',
    'name',
    'type',
    'underlying',
    'last_at',
    'settlement_of',
    'open_interest_of',
    'funding_settled_at',
    'funding_boundary',
  ],
  ...FIGURES.flatMap(({ name }) => [name, `${name}_wire`]),
  ...['funding_estimate_not_current', 'withheld', 'requests', 'answered_at', 'from', 'overdue'],
  // Newer columns come last, so that programs find the others where they were.
  ...TERM_CELLS.map(({ name }) => name),
  ...['strike_ticks_wire', 'terms_withheld', 'hours_to_expiry', 'change_percent'],
  ...['funding_settled_in_doubt', 'funding_estimate_in_doubt'],
];

/** The times of the responses stay with the figures, because prices move. */
const PROVENANCE = [...HEADING.filter((name) => name.endsWith('_wire')), 'requests', 'from'];

/** Writes the rows shown. */
export function toMarketCsv(rows: readonly MarketRow[], form: CsvForm = 'full'): string {
  return toCsvInForm(form, { heading: HEADING, provenance: PROVENANCE }, rows.map(toCells));
}

function toDoubts(funding: MarketRow['funding']): readonly Cell[] {
  return [funding?.settledDoubt ?? null, funding?.estimateDoubt ?? null];
}

function toCells(row: MarketRow): readonly Cell[] {
  const { productId, product, lastTime, settlementTime, openInterestDate, funding, check } = row;
  const quantities = FIGURES.map(({ read }) => read(row));
  const sources = [...new Set(quantities.flatMap((quantity) => (quantity === null ? [] : sourcesOf(quantity))))];
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
      toText(sources, ({ respondedAt }) => respondedAt ?? 'unknown'),
      toText(sources, ({ cache }) => cache),
      toOverdueText(row),
    ],
    ...toTermCells(row),
    toPercent(row.changeFraction),
    ...toDoubts(funding),
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
  const { value, provenance } = quantity;
  const raw = provenance.kind === 'read' ? provenance.wireText : null;
  return [value === null ? null : { digits: value.toFixed() }, raw === null ? null : { digits: raw }];
}

/** Writes a percentage, as on screen and in files of orders. */
function toPercent(fraction: Quantity | null): Cell {
  const value = fraction?.value ?? null;
  return value && { digits: value.times(100).toDecimalPlaces(PERCENT_DIGITS).toFixed() };
}

const PERCENT_DIGITS = 6;

function toText(sources: readonly Source[], describe: (source: Source) => string): string {
  return sources.map(describe).join('; ');
}
