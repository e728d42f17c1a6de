import { useMemo } from 'react';
import { toPriceAtLevel } from '#model/charts/price/price-chart.ts';
import type { SettledBar } from '#model/price/bars.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { useMay } from '#page/client/react/use-api.tsx';
import type { LevelAction } from '#page/kit/chart/level-key.tsx';
import { useNavigator } from '#page/kit/navigation.tsx';
import { useToast } from '#page/kit/toast.tsx';

/** Returns the address of the form of a rule about a price, filled in, which leads back to a chart. */
export function toRuleAddress(symbol: string, price: string | null, back: string): string {
  const query = new URLSearchParams({ product: symbol, ...(price !== null && { price }), back });
  return `/rules/new?${query.toString()}`;
}

export const ALERT_KEY = { key: 'a', label: 'Alert at the price under the crosshair' } as const;

/** Proposes a rule about the price at the crosshair. Undefined for those who may not make rules. */
export function useAlertAtLevel(
  { product }: NamedProduct,
  base: SettledBar | null,
  tickSize: number | null,
): LevelAction | undefined {
  const navigator = useNavigator();
  const showToast = useToast();
  const mayMakeRules = useMay('operations');
  const symbol = product?.symbol;
  return useMemo(() => {
    if (!mayMakeRules || symbol === undefined) return undefined;
    const run = (level: number | null): void => {
      if (level === null) showToast('No alert here: the crosshair is at no price. Move it to the pane of prices.');
      else navigator.go(toRuleAddress(symbol, toPriceAtLevel(level, base, tickSize), navigator.read()));
    };
    return { ...ALERT_KEY, run };
  }, [navigator, showToast, mayMakeRules, symbol, base, tickSize]);
}
