import type { ApiResponse } from '../../response.ts';
import type { Day } from '#contract/exchange/day.ts';
import { rebase } from '../../price/change.ts';
import type { Source } from '../../source.ts';
import { toDecimal, type Decimal } from '../../units/decimal.ts';
import { sourcesOf } from '../../units/quantity.ts';
import { toCsvInForm, type Cell, type CsvForm } from '../../format/csv.ts';
import { toRunningPoint, type ComparedBars } from './to-comparison.ts';

export interface ComparedProduct extends Pick<ComparedBars, 'name' | 'bars' | 'running'> {
  readonly response: ApiResponse<unknown>;
}

const PROVENANCE = ['request', 'answered_at', 'received_at', 'age_s', 'from', 'request_id'];
/** The last column is newer than programs that know the others by their place. */
const COLUMNS = {
  heading: ['date', 'symbol', 'settlement_usd', 'index', 'index_base', ...PROVENANCE, 'bar'],
  provenance: PROVENANCE,
};

/** A row for each product and session, with its settlement and its index; the running session has no settlement yet, and the index of its last price. */
export function toComparisonCsv(products: readonly ComparedProduct[], form: CsvForm = 'full'): string {
  const indexed = rebase(products.map(({ bars }) => bars));
  const base = indexed?.base ?? null;
  const rows = products.flatMap((product, at) => {
    const points = indexed?.series[at]?.points ?? [];
    const values = new Map(points.map(({ date, value }) => [date, value]));
    const settled = product.bars.map(({ date, settlement }) =>
      toCells(
        product,
        {
          date,
          settlement: settlement && toDecimal(settlement),
          index: values.get(date) ?? null,
          base,
          source: product.response,
        },
        'published',
      ),
    );
    return [...settled, ...toRunningRow(product, toRunningPoint(product, points), base)];
  });
  return toCsvInForm(form, COLUMNS, rows);
}

function toRunningRow(
  product: ComparedProduct,
  points: ReturnType<typeof toRunningPoint>,
  base: Day | null,
): readonly (readonly Cell[])[] {
  const [source] = product.running === null ? [] : sourcesOf(product.running.fraction);
  return source === undefined
    ? []
    : points.map(([date, index]) =>
        toCells(product, { date, settlement: null, index, base, source }, 'running session'),
      );
}

/** Enough to compute a price with all of its digits. */
const DIGITS = 10;

interface Line {
  readonly date: Day;
  readonly settlement: Decimal | null;
  readonly index: Decimal | null;
  readonly base: Day | null;
  readonly source: Source;
}

function toCells(
  { name }: ComparedProduct,
  { date, settlement, index, base, source }: Line,
  bar: string,
): readonly Cell[] {
  const { target, answeredAt, receivedAt, ageSeconds, cache, requestId } = source;
  const provenance = [`GET ${target}`, answeredAt, new Date(receivedAt).toISOString(), ageSeconds, cache, requestId];
  return [
    date,
    name,
    settlement && { digits: settlement.toFixed() },
    index && { digits: index.toDecimalPlaces(DIGITS).toFixed() },
    base,
    ...provenance,
    bar,
  ];
}
