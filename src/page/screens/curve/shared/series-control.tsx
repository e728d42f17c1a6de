import { wireText } from '#contract/exchange/row-notes.ts';
import type { Curve } from '#model/curve/curve-months.ts';
import { CURVE_PARAMS } from '#model/curve/curve-params.ts';
import { useUrlState } from '#page/kit/navigation.tsx';
import { Segmented } from '#page/kit/segmented.tsx';

/** Chooses a series, if the underlying has several. */
export function SeriesControl({ curve }: { readonly curve: Curve }) {
  const [, setSeries] = useUrlState(CURVE_PARAMS.series);
  if (curve.series.length < 2) return null;
  const choices = curve.series.map(({ baseSymbol, months: [first] }) => {
    const size = first && wireText(first.product, 'contract_size');
    return [baseSymbol, size === undefined ? baseSymbol : `${baseSymbol} ${size} ${curve.underlying}`] as const;
  });
  return <Segmented label="Series" choices={choices} value={curve.baseSymbol} onChange={setSeries} />;
}
