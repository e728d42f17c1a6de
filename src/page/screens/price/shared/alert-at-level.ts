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

const [key, label] = ['a', 'Alert at the price under the crosshair'];

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
    return { key, label, run };
  }, [navigator, showToast, mayMakeRules, symbol, base, tickSize]);
}

/** Says why a chart proposes no rule. Undefined for those who may not make rules. */
export function useNoAlert(reason: string): LevelAction | undefined {
  const showToast = useToast();
  const mayMakeRules = useMay('operations');
  return useMemo(() => {
    const run = (): void => {
      showToast(reason);
    };
    return mayMakeRules ? { key, label, run } : undefined;
  }, [showToast, mayMakeRules, reason]);
}
