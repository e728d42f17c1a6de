import { useMemo } from 'react';
import type { Day } from '#contract/exchange/instant.ts';
import { BASIS_PRICES, type BasisPrice } from '#model/basis/basis.ts';
import type { BasisOver, ReadRates } from '#model/curve/basis-over.ts';
import type { CurveDay } from '#model/curve/curve-days.ts';
import { CURVE_PARAMS, MOST_APART } from '#model/curve/curve-params.ts';
import { useUrlState } from '#page/kit/navigation.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { useSettledRates } from '../shared/use-settled-rates.ts';

const PRICE_NAMES: Readonly<Record<BasisPrice, string>> = {
  settlement: 'Over perpetual',
  index: 'Over index',
  mark: 'Over mark',
};
const PRICES = BASIS_PRICES.map((price) => [price, PRICE_NAMES[price]] as const);
const HOURS = MOST_APART.map((hours) => [hours, hours === '1' ? '≤ 1 h' : `${hours} h`] as const);

/** Chooses what the basis is measured over, and how far from the settlement an index or mark may be. */
export function OverControl() {
  const [over, setOver] = useUrlState(CURVE_PARAMS.over);
  const [apart, setApart] = useUrlState(CURVE_PARAMS.apart);
  return (
    <>
      <Segmented label="Basis over" choices={PRICES} value={over} onChange={setOver} />
      {over !== 'settlement' && <Segmented label="At most apart" choices={HOURS} value={apart} onChange={setApart} />}
    </>
  );
}

const PENDING: ReadRates = { missingBecause: 'Settled rates, which have the index and the mark, are being read.' };

/** Reads the index and mark from the oldest session on, with one request, if the basis is measured over one of them. */
export function useBasisOver({ curve, session }: CurveDay, earlier: readonly Day[]): BasisOver {
  const [over] = useUrlState(CURVE_PARAMS.over);
  const [apart] = useUrlState(CURVE_PARAMS.apart);
  const symbol = curve.perpetual?.product.base_symbol ?? null;
  const oldest = [session, ...earlier].toSorted()[0] ?? null;
  const rates = useSettledRates(over === 'settlement' ? null : symbol, oldest) ?? PENDING;
  return useMemo(
    () => (over === 'settlement' ? null : { over, mostApart: Number(apart) * 60, rates }),
    [over, apart, rates],
  );
}
