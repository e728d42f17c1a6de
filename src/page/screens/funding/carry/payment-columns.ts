import { toDecimal } from '#model/units/decimal.ts';
import { commonFractionDigits, formatNumber, formatRate } from '#model/format/number.ts';
import type { CarryPosition, SettledPayment } from '#model/funding/carry.ts';
import { countPriceDigits } from '#model/price/price-digits.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import { formatInAllZones } from '#model/format/format-time.ts';
import type { FigureColumn } from '../figure-grid.tsx';
import {
  explainExactly,
  formatPayment,
  type PaymentFigures,
  PRICE_NAMES,
  toPaymentFigures,
} from '#model/tables/funding/carry-figures.ts';
import type { PerpetualData } from '#model/tables/funding/perpetual-data.ts';

interface PaymentParts {
  readonly position: CarryPosition;
  readonly payments: readonly SettledPayment[];
  readonly timeText: (epochMillis: number) => string;
}

type Column = FigureColumn<SettledPayment>;

export function createPaymentColumns(
  data: PerpetualData,
  { position, payments, timeText }: PaymentParts,
): readonly Column[] {
  const { price } = position;
  const digits = commonFractionDigits(payments.map(({ print }) => wireText(print.row, price)));
  const usdDigits = countPriceDigits(payments.map(({ priceUsd }) => priceUsd.toFixed()));
  const column = (
    id: keyof PaymentFigures,
    title: string,
    unit: string,
    text: Column['text'],
    value: Column['value'],
  ): Column => ({
    ...{ id, title, unit, kind: 'number', width: 128, text, value },
    explain: (row) => explainExactly(toPaymentFigures(data, position, row)[id]),
  });
  const ticksOf = ({ print }: SettledPayment) => toDecimal(wireText(print.row, price));
  return [
    {
      ...{ id: 'end', title: 'Funding time', kind: 'text', width: 184, pinned: 'start' },
      text: ({ print }) => timeText(print.end),
      value: ({ print }) => print.end,
      explain: ({ print }) => [{ name: 'Funding time', value: formatInAllZones(print.row.interval_end) }],
    },
    column(
      'rate',
      'Rate',
      '% per 8 h',
      ({ rate }) => formatRate(rate),
      ({ rate }) => rate.toNumber(),
    ),
    column(
      'ticks',
      PRICE_NAMES[price],
      'ticks',
      (row) => formatNumber(ticksOf(row), { digits }),
      (row) => ticksOf(row).toNumber(),
    ),
    column(
      'price',
      'Price',
      'USD',
      ({ priceUsd }) => formatNumber(priceUsd, { digits: usdDigits }),
      ({ priceUsd }) => priceUsd.toNumber(),
    ),
    column(
      'notional',
      'Notional',
      'USD',
      ({ notional }) => formatNumber(notional, { digits: 2 }),
      ({ notional }) => notional.toNumber(),
    ),
    column(
      'payment',
      'Cash flow',
      'USD',
      ({ payment }) => formatPayment(payment),
      ({ payment }) => payment.toNumber(),
    ),
  ];
}
