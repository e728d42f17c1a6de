import type { FundingRateData } from '#contract/exchange/funding.ts';
import { asRate, asTicks } from '../../units/conversions.ts';
import type { Decimal } from '../../units/decimal.ts';
import { describeProvenance, type ProvenanceLine } from '../../format/provenance.ts';
import type { Carry, CarryPosition } from '../../funding/carry.ts';
import { type Quantity, toQuantity } from '../../units/quantity.ts';
import { formatInAllZones } from '../../format/format-time.ts';
import { formatNumber } from '../../format/number.ts';
import type { PerpetualData } from './perpetual-data.ts';

export interface PaymentFigures {
  readonly rate: Quantity;
  readonly ticks: Quantity;
  readonly price: Quantity;
  readonly notional: Quantity;
  readonly payment: Quantity;
}

type Paid = Carry['payments'][number];
type CarryData = Pick<PerpetualData, 'source' | 'conversion'>;

export function toPaymentFigures(
  { source, conversion }: CarryData,
  position: CarryPosition,
  { print: { row }, notional, payment }: Paid,
): PaymentFigures {
  const at = { source, dataTime: row.interval_end, prefix: 'prints.' };
  const read = (used: typeof asTicks): Quantity => toQuantity(at, row, position.price, used);
  const [rate, price] = [toQuantity(at, row, 'funding_rate', asRate), read(conversion ?? asTicks)];
  const contracts = `${position.contracts.toFixed()} contracts × ${position.contractSize.toFixed()}`;
  return {
    rate,
    ticks: read(asTicks),
    price,
    notional: toUsd(notional, `${contracts} × price, exact`, [price]),
    payment: toUsd(
      payment,
      `${contracts} × price × rate, exact; ${position.side === 'long' ? 'a long position pays positive rates' : 'a short position receives positive rates'}`,
      [price, rate],
    ),
  };
}

export function toCarryFigures(
  data: CarryData,
  { payments, unpriced, sum, apr, meanNotional, coverage }: Carry,
  position: CarryPosition,
): Readonly<Record<'sum' | 'apr' | 'meanNotional' | 'coverage', Quantity>> {
  const last = payments.at(-1);
  const from = last === undefined ? [] : [toPaymentFigures(data, position, last).payment];
  const basis = `${String(coverage.prints)} of ${String(coverage.intervals)} settled rates${unpriced === 0 ? '' : `, ${String(unpriced)} of them without a price`}`;
  return {
    sum: toUsd(sum, `Exact sum of the payments of ${basis}`, from),
    meanNotional: toUsd(meanNotional, `Mean notional of ${basis}`, from),
    apr: {
      ...toUsd(apr, `Sum ÷ mean notional × 3 × 365 ÷ number of settled rates, of ${basis}`, from),
      unit: 'fraction',
    },
    coverage: toUsd(null, `${basis} have their funding time in the period`, from),
  };
}

/** A payment that has not settled, at the price of the last funding time. */
export function toPredictedFigure(
  data: CarryData,
  position: CarryPosition,
  last: FundingRateData,
  payment: Decimal | null,
  how: string,
): Quantity {
  const price = toQuantity(
    { source: data.source, dataTime: last.interval_end, prefix: 'prints.' },
    last,
    position.price,
    data.conversion ?? asTicks,
  );
  return toUsd(payment, how, [price]);
}

function toUsd(value: Decimal | null, how: string, from: readonly Quantity[]): Quantity {
  return { value, unit: 'USD', withheld: null, provenance: { kind: 'derived', how, from } };
}

/** With the exact value, as the screen rounds it. */
export function explainExactly(quantity: Quantity): readonly ProvenanceLine[] {
  const { value } = quantity;
  return [
    ...(value === null ? [] : [{ name: 'Exact', value: value.toFixed(), code: true }]),
    ...describeProvenance(quantity, formatInAllZones),
  ];
}

export const PRICE_NAMES = { price_index: 'Index', mark_price: 'Mark' } as const;

/** Small positions pay fractions of a cent. */
export function formatPayment(value: Decimal | null): string {
  return formatNumber(value, { digits: 4, signed: true });
}
