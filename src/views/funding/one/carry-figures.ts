import type { FundingRateData } from '#contract/funding.ts';
import { asRate, asTicks } from '#domain/conversions.ts';
import type { Decimal } from '#domain/decimal.ts';
import { describeProvenance, type ProvenanceLine } from '#domain/format-provenance.ts';
import type { Carry, CarryPosition } from '#domain/funding/carry.ts';
import { toQuantity, type Quantity } from '#domain/quantity.ts';
import { formatInAllZones } from '#ui/time/format-time.ts';
import type { OneData } from './one-data.ts';

/** The figures of a payment, each with where it comes from. */
export interface PaymentFigures {
  readonly rate: Quantity;
  readonly ticks: Quantity;
  readonly price: Quantity;
  readonly notional: Quantity;
  readonly payment: Quantity;
}

type Paid = Carry['payments'][number];
type CarryData = Pick<OneData, 'source' | 'conversion'>;

/** USD only where the published increment holds: without one there is no payment. */
export function toPaymentFigures({ source, conversion }: CarryData, position: CarryPosition, { print: { row }, notional, payment }: Paid): PaymentFigures {
  const at = { source, dataTime: row.interval_end, prefix: 'prints.' };
  const read = (used: typeof asTicks): Quantity => toQuantity(at, row, position.price, used);
  const [rate, price] = [toQuantity(at, row, 'funding_rate', asRate), read(conversion ?? asTicks)];
  const contracts = `${position.contracts.toFixed()} contracts × ${position.contractSize.toFixed()}`;
  return {
    rate,
    ticks: read(asTicks),
    price,
    notional: toUsd(notional, `${contracts} × price, exact`, [price]),
    payment: toUsd(payment, `${contracts} × price × rate, exact; ${position.side === 'long' ? 'who is long pays what is positive' : 'who is short receives what is positive'}`, [price, rate]),
  };
}

/** What the payments come to. */
export function toCarryFigures(data: CarryData, { payments, sum, apr, meanNotional, coverage }: Carry, position: CarryPosition): Readonly<Record<'sum' | 'apr' | 'meanNotional' | 'coverage', Quantity>> {
  const last = payments.at(-1);
  const from = last === undefined ? [] : [toPaymentFigures(data, position, last).payment];
  const told = `${String(coverage.prints)} of ${String(coverage.intervals)} settled prints`;
  return {
    sum: toUsd(sum, `Payments of ${told}, added up, exact`, from),
    meanNotional: toUsd(meanNotional, `Mean notional of ${told}`, from),
    apr: { ...toUsd(apr, `Sum / mean notional × 3 × 365 / number of prints, of ${told}`, from), unit: 'fraction' },
    coverage: toUsd(null, `${told} lie in the stretch by their ends`, from),
  };
}

/** What an estimate would make the position pay: it rests on the last print’s price. */
export function toEstimatedFigure(data: CarryData, position: CarryPosition, last: FundingRateData, payment: Decimal): Quantity {
  const price = toQuantity({ source: data.source, dataTime: last.interval_end, prefix: 'prints.' }, last, position.price, data.conversion ?? asTicks);
  return toUsd(payment, 'Estimated rate × contracts × contract size × price of the last print', [price]);
}

function toUsd(value: Decimal | null, how: string, from: readonly Quantity[]): Quantity {
  return { value, unit: 'USD', withheld: null, provenance: { kind: 'derived', how, from } };
}

/** Rounded where it is shown; where it comes from says all of it. */
export function explainExactly(quantity: Quantity): readonly ProvenanceLine[] {
  const { value } = quantity;
  return [...(value === null ? [] : [{ name: 'Exact', value: value.toFixed(), code: true }]), ...describeProvenance(quantity, formatInAllZones)];
}
