import type { DeskProduct } from '#contract/desk/desk.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { Day } from '#contract/exchange/instant.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import type { Basis } from '../basis/basis.ts';
import { toBasis } from './month-basis.ts';
import { listUnderlyings, toCurve } from './curve-months.ts';
import { formatDay } from '../format/format-time.ts';
import { dateOf, sessionBefore } from '../time/session.ts';
import { asContracts, deriveQuantity, type Quantity, toQuantity } from '../units/quantity.ts';
import { groupByProduct } from '../voi/voi-rows.ts';
import type { MarketRow } from '../markets/market-rows.ts';
import type { CurveFigureName, PriceChange } from '../markets/price-change-names.ts';
import type { Earlier } from '../markets/price-changes.ts';

type Doubt = readonly [productId: number, reason: string];

/** Lists the perpetuals whose settlement is in doubt, for which checks use responses that a curve does not need. */
export function listDoubts(rows: readonly MarketRow[]): readonly Doubt[] {
  return rows.flatMap(({ productId, product, settlement }): readonly Doubt[] =>
    product.type !== 'perpetual' || settlement === null || settlement.withheld === null
      ? []
      : [[productId, settlement.withheld]],
  );
}

export interface CurveReadings {
  readonly directory: readonly DeskProduct[];
  /** Why settlements of perpetuals are withheld, by product ID. */
  readonly doubts: readonly Doubt[];
  /** The session in which futures settled last, and its product data. */
  readonly day: Day | null;
  readonly session: Earlier<readonly ProductData[]>;
  /** Daily open interest. */
  readonly voi: Earlier<readonly VOIDataPoint[]>;
  /** Whether 24 h volumes are still being read. */
  readonly isVolumeAwaited: boolean;
}

/** Returns the session in which futures settled last. */
export function findFuturesSession(rows: readonly Pick<MarketRow, 'product' | 'settlementTime'>[]): Day | null {
  const days = rows.flatMap(({ product, settlementTime: at }) =>
    product.type === 'future' && at !== null ? [dateOf(at)] : [],
  );
  return days.toSorted().at(-1) ?? null;
}

/** Adds later figures to rows. A row that has not changed stays the same object, so it is not drawn again. */
export type FigureJoin = (rows: readonly MarketRow[]) => readonly MarketRow[];

export function createFigureJoin(readings: CurveReadings): FigureJoin {
  const toBases = createBases(readings);
  const toInterestChange = createInterestChanges(readings.voi);
  const known = new WeakMap<MarketRow, MarketRow>();
  const join = (row: MarketRow): MarketRow => {
    const figures: Readonly<Record<CurveFigureName, PriceChange | null>> = {
      ...toBases(row),
      interestChange: toInterestChange(row),
      turnover: toTurnover(row, readings),
    };
    return { ...row, changes: { ...row.changes, ...figures } };
  };
  return (rows) =>
    rows.map((row) => {
      const joined = known.get(row) ?? join(row);
      known.set(row, joined);
      return joined;
    });
}

function none(missingBecause: string): PriceChange {
  return { quantity: null, missingBecause };
}

function toFigure(quantity: Quantity | null, missingBecause: string | null): PriceChange {
  return quantity === null ? none(missingBecause ?? 'An input is missing.') : { quantity, missingBecause: null };
}

type Bases = Readonly<Record<'basisUsd' | 'basis' | 'basisYear', PriceChange | null>>;

function toAll(figure: PriceChange | null): Bases {
  return { basisUsd: figure, basis: figure, basisYear: figure };
}

/** The basis of each future against the settlement of the perpetual in the same session. */
function createBases({ directory, doubts, day, session }: CurveReadings): (row: MarketRow) => Bases {
  const ready = session !== undefined && 'value' in session ? session : null;
  const doubtOf = new Map(doubts);
  const bases = new Map<number, { readonly basis: Basis; readonly doubt: string | null }>();
  for (const underlying of ready === null ? [] : listUnderlyings(directory)) {
    const curve = ready && toCurve({ directory, data: ready, underlying, session: day });
    const [perpetual, series] = [curve?.perpetual ?? null, curve?.series ?? []];
    const doubt = perpetual === null ? null : (doubtOf.get(toNumber(perpetual.product.product_id)) ?? null);
    for (const month of series.flatMap(({ months }) => months)) {
      bases.set(toNumber(month.product.product_id), { basis: toBasis(month, perpetual), doubt });
    }
  }
  return ({ productId, product, settlement }) => {
    if (product.type !== 'future') return toAll(none('Only a dated future has a basis.'));
    if (session === undefined) return toAll(null);
    if ('missingBecause' in session) return toAll(none(session.missingBecause));
    const found = bases.get(productId);
    if (found === undefined) return toAll(none('No settlement of this future is known.'));
    const { basis } = found;
    const doubt = settlement?.withheld ?? found.doubt;
    const withhold = (figure: Quantity | null): Quantity | null =>
      figure && (doubt === null ? figure : { ...figure, value: null, withheld: figure.withheld ?? doubt });
    const write = (figure: Quantity | null): PriceChange => toFigure(withhold(figure), basis.refusedBecause);
    return { basisUsd: write(basis.usd), basis: write(basis.fraction), basisYear: write(basis.aYear) };
  };
}

function createInterestChanges(voi: Earlier<readonly VOIDataPoint[]>): (row: MarketRow) => PriceChange | null {
  const days = voi !== undefined && 'value' in voi ? groupByProduct(voi.value) : null;
  return ({ productId, product, openInterest, openInterestDate: day }) => {
    if (voi === undefined || days === null)
      return voi === undefined ? null : none('missingBecause' in voi ? voi.missingBecause : '');
    if (openInterest === null || day === null) return none('The exchange has published no open interest.');
    const before = sessionBefore(day, { everyDay: product.type === 'perpetual' });
    const row = days.get(productId)?.find(({ date }) => date === before);
    if (row === undefined || row.openInterest === null || 'missingBecause' in voi)
      return none(`The exchange has published no open interest of ${formatDay(before)} for this product.`);
    const earlier = toQuantity({ source: voi, dataTime: before }, row, 'openInterest', asContracts);
    const how = `Open interest of ${formatDay(day)} − open interest of ${formatDay(before)}`;
    return toFigure(
      deriveQuantity('contracts', how, [openInterest, earlier], ([last, first]) =>
        last && first ? last.minus(first) : null,
      ),
      null,
    );
  };
}

function toTurnover(
  { volume, volumeMissingBecause, openInterest }: MarketRow,
  { voi, isVolumeAwaited }: Pick<CurveReadings, 'voi' | 'isVolumeAwaited'>,
): PriceChange | null {
  if ((volume === null && isVolumeAwaited) || (openInterest === null && voi === undefined)) return null;
  if (volume === null) return none(volumeMissingBecause ?? 'There is no 24 h volume.');
  if (openInterest === null) return none('The exchange has published no open interest.');
  return toFigure(
    deriveQuantity(
      'fraction',
      '24 h volume ÷ open interest, both in contracts',
      [volume, openInterest],
      ([traded, open]) => (traded && open?.gt(0) === true ? traded.div(open) : null),
    ),
    null,
  );
}
