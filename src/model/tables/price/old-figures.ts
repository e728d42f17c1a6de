import { CHANGE_VS_SETTLEMENT } from '../../markets/last-price.ts';
import { describeOverdue } from '../../time/overdue.ts';
import type { OverduePrice } from '../../charts/price/overdue-price.ts';

/** By what is overdue: a noun for it, and the figures that it makes old. */
const OLD_FIGURES: Readonly<
  Record<keyof OverduePrice, { readonly noun: string; readonly figures: readonly string[] }>
> = {
  trading: { noun: 'settlement in the product data', figures: ['Last', CHANGE_VS_SETTLEMENT] },
  settlement: { noun: 'settlement', figures: ['Settlement', 'Settlement change'] },
  openInterest: { noun: 'open interest', figures: ['Open interest'] },
  settledRate: {
    noun: 'settled rate',
    figures: ['Last funding', 'Index at last funding', 'Mark at last funding', 'Premium at last funding'],
  },
};
const KINDS = Object.keys(OLD_FIGURES) as readonly (keyof OverduePrice)[];

/** A sentence for each kind of figure. */
export function listReasons(overdue: OverduePrice): readonly string[] {
  return KINDS.flatMap((kind) => describe(kind, overdue) ?? []);
}

/** Why a figure is old; null where it is not. */
export function findReason(figure: string, overdue: OverduePrice): string | null {
  const kind = KINDS.find((one) => OLD_FIGURES[one].figures.includes(figure));
  return kind === undefined ? null : describe(kind, overdue);
}

function describe(kind: keyof OverduePrice, overdue: OverduePrice): string | null {
  const known = overdue[kind];
  return known && describeOverdue(OLD_FIGURES[kind].noun, known);
}
