import { CURVE_PARAMS } from '#model/curve/curve-params.ts';
import { useUrlState } from '#page/kit/navigation.tsx';

/** Says that a view is by settlements, if the address has another choice for the curve. */
export function BySettlements() {
  const [over] = useUrlState(CURVE_PARAMS.over);
  return (
    over !== 'settlement' && ` The basis here is over the perpetual’s settlement: only the curve is over its ${over}.`
  );
}
