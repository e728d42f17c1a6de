import type { Day } from '#contract/exchange/instant.ts';
import { type Cell, type CsvForm, toCsvInForm } from '../../format/csv.ts';
import type { Source } from '../../response.ts';
import { type Decimal, toDecimal } from '../../units/decimal.ts';
import { type Quantity, sourcesOf } from '../../units/quantity.ts';
import {
  type ComparedProduct,
  type ComparedSession,
  type SettledProduct,
  toSettledProduct,
} from './compared-sessions.ts';
import type { ComparedAs } from './compared-as.ts';
import {
  type ComparedLine,
  type CompareOptions,
  compareProducts,
  type Comparison,
  type Omission,
} from './comparison.ts';

const PROVENANCE = ['request', 'responded_at', 'received_at', 'age_s', 'source', 'request_id'] as const;
/** Programs know the other columns by position, so the newest ones come last. */
const COLUMNS = {
  heading: [
    'date',
    'symbol',
    'settlement_usd',
    'rebased',
    'rebase_date',
    ...PROVENANCE,
    'bar',
    'compared_with_symbol',
    'difference_usd',
    'ratio',
    'basis_per_year_percent',
    'basis_missing_because',
    'basis_over_symbol',
  ],
  provenance: PROVENANCE,
} as const;

/**
 * Writes a row for each product and session, with its settlement and, for the sessions that are compared, its figures of
 * all panes. By weeks and months, only the compared sessions have rows, as on screen. The running session has no
 * settlement yet; its figures are those of its last price.
 */
export function toComparisonCsv(
  products: readonly ComparedProduct[],
  { period = '1D', panes = [], form = 'full' }: Partial<CompareOptions> & { readonly form?: CsvForm } = {},
): string {
  const comparison = compareProducts(products, { period, panes });
  const compared = new Map(comparison?.sessions.map((session) => [session.session, session]));
  const last = comparison?.sessions.at(-1);
  const rows = (comparison?.products ?? products.map(toSettledProduct)).flatMap((product) => {
    const toFigures = (day: Day): readonly Cell[] =>
      comparison === null ? NO_FIGURES : toFigureCells(comparison, product, compared.get(day));
    const shown = [...product.settled.values()].filter(({ date }) => period === '1D' || compared.has(date));
    const settled = shown.map(({ date, settlementPrice }) =>
      toCells(product, date, {
        settlement: settlementPrice === null ? null : toDecimal(settlementPrice),
        source: product.prices,
        figures: toFigures(date),
        bar: period === '1D' ? 'published' : `last session of ${period}`,
      }),
    );
    const [source] = product.running === null ? [] : sourcesOf(product.running.fraction);
    if (last?.isRunning !== true || source === undefined) return settled;
    const figures = toFigures(last.session);
    return [...settled, toCells(product, last.session, { settlement: null, source, figures, bar: 'running session' })];
  });
  return toCsvInForm(form, COLUMNS, rows);
}

const NO_FIGURES: readonly Cell[] = [null, null, null, null, null, null, null, null];

/** Enough to recompute a price with all of its digits. */
const DIGITS = 10;

/** Returns the rebased price with its date, and the figures of the other panes; none if the session is not compared. */
function toFigureCells(
  { lines, omitted, reference, sessions }: Comparison,
  product: SettledProduct,
  session: ComparedSession | undefined,
): readonly Cell[] {
  const base = sessions[0].session;
  if (session === undefined) return NO_FIGURES.with(1, base);
  const isOf = (as: ComparedAs) => (one: ComparedLine | Omission) => one.as === as && one.product === product;
  const findLine = (as: ComparedAs) => lines.find((line) => isOf(as)(line) && !line.isOwnPrice);
  const find = (as: ComparedAs): Quantity | null => findLine(as)?.at(session) ?? null;
  return [
    toDigits(find('rebased')?.value),
    base,
    product === reference ? null : reference.name,
    toDigits(find('difference')?.value),
    toDigits(find('ratio')?.value),
    ...toBasisCells(findLine('basis'), session, omitted.find(isOf('basis'))),
  ];
}

function toBasisCells(
  line: ComparedLine | undefined,
  session: ComparedSession,
  omission: Omission | undefined,
): readonly Cell[] {
  if (line === undefined) return [null, omission?.reason ?? null, null];
  const { value, withheld } = line.at(session);
  return [toDigits(value?.times(100)), withheld ?? null, line.over?.name ?? null];
}

function toDigits(value: Decimal | null | undefined): Cell {
  return value ? { digits: value.toDecimalPlaces(DIGITS).toFixed() } : null;
}

interface Line {
  readonly settlement: Decimal | null;
  readonly source: Source;
  readonly figures: readonly Cell[];
  readonly bar: string;
}

function toCells({ name }: ComparedProduct, date: Day, { settlement, source, figures, bar }: Line): readonly Cell[] {
  const { target, respondedAt, receivedAt, ageSeconds, cache, requestId } = source;
  const provenance = [`GET ${target}`, respondedAt, new Date(receivedAt).toISOString(), ageSeconds, cache, requestId];
  const [rebased = null, base = null, ...others] = figures;
  return [date, name, settlement && { digits: settlement.toFixed() }, rebased, base, ...provenance, bar, ...others];
}
