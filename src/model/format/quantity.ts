import { formatNumber, formatRate, NO_VALUE, type NumberFormat } from './number.ts';
import type { QuantityUnit } from '../units/conversions.ts';
import type { Quantity } from '../units/quantity.ts';

/** Units, for column headers. */
export const UNIT_NAMES: Readonly<Record<QuantityUnit, string>> = {
  'USD': 'USD',
  'contracts': 'contracts',
  'ticks': 'ticks',
  'per interval': '% per 8 h',
  'fraction': '%',
};

/** The number without its unit, for a cell whose header has the unit. */
export function formatQuantity({ value, unit }: Pick<Quantity, 'value' | 'unit'>, format: NumberFormat = {}): string {
  switch (unit) {
    case 'per interval':
      return formatRate(value);
    case 'fraction':
      return formatNumber(value?.times(100) ?? null, { digits: 2, signed: true, ...format });
    case 'contracts':
      return formatNumber(value, { digits: 0, ...format });
    case 'USD':
    case 'ticks':
      return formatNumber(value, format);
  }
}

/** The number with its unit, for text and screen readers. */
export function describeQuantity(
  quantity: Pick<Quantity, 'value' | 'unit' | 'withheld'>,
  format: NumberFormat = {},
): string {
  if (quantity.withheld !== null) return `n/a: ${quantity.withheld}`;
  const text = formatQuantity(quantity, format);
  return text === NO_VALUE ? 'no value' : `${text} ${UNIT_NAMES[quantity.unit]}`;
}
