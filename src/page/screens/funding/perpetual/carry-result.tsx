import { toDecimal } from '#model/units/decimal.ts';
import {
  commonFractionDigits,
  countPriceDigits,
  formatNumber,
  formatPercent,
  formatRate,
} from '#model/format/number.ts';
import type {
  Carry,
  CarryAhead,
  CarryPayment,
  CarryPosition,
  ContractPosition,
  SettledPayment,
} from '#model/funding/carry.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { formatInAllZones, formatInstant } from '#model/format/format-time.ts';
import { type FigureColumn, FigureGrid } from '#page/panels/figure-grid.tsx';
import { FigureFact } from '../figures.tsx';
import {
  describeSize,
  explainExactly,
  formatPayment,
  type PaymentFigures,
  PRICE_NAMES,
  toCarryFigures,
  toPaymentFigures,
  toPredictedFigure,
} from '#model/tables/funding/carry.ts';
import type { PerpetualData } from '#model/tables/funding/perpetual-data.ts';
import { countOf, formatCount } from '#model/format/count.ts';
import styles from '../perpetual.module.css';
import { useMemo } from 'react';
import type { Instant } from '#contract/exchange/instant.ts';
import { useZone } from '#page/kit/use-preferences.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';

interface PaymentInputs {
  readonly position: CarryPosition;
  readonly payments: readonly SettledPayment[];
  readonly timeText: (epochMillis: number) => string;
}

type Column = FigureColumn<SettledPayment>;

function createPaymentColumns(data: PerpetualData, { position, payments, timeText }: PaymentInputs): readonly Column[] {
  const column = (
    id: keyof PaymentFigures,
    title: string,
    unit: string,
    text: Column['text'],
    value: Column['value'],
  ): Column => ({
    ...{ id, title, unit, kind: 'number', width: 128, text, value },
    explain: (row) => {
      const figure = toPaymentFigures(data, position, row)[id];
      return figure === undefined ? [] : explainExactly(figure);
    },
  });
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
    ...('notional' in position ? [] : createPriceColumns(position, payments, column)),
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

function createPriceColumns(
  { price }: ContractPosition,
  payments: readonly SettledPayment[],
  column: (id: 'ticks' | 'price', title: string, unit: string, text: Column['text'], value: Column['value']) => Column,
): readonly Column[] {
  const digits = commonFractionDigits(payments.map(({ print }) => wireText(print.row, price)));
  const usdDigits = countPriceDigits(payments.map(({ priceUsd }) => priceUsd?.toFixed() ?? null));
  const ticksOf = ({ print }: SettledPayment) => toDecimal(wireText(print.row, price));
  return [
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
      ({ priceUsd }) => priceUsd?.toNumber() ?? null,
    ),
  ];
}

interface CarryAheadFactsProps {
  readonly data: PerpetualData;
  readonly position: CarryPosition;
  readonly ahead: CarryAhead;
}

/**
 * Shows what the position would cost or earn if a rate stayed the same. It is outlined because nothing of it has
 * settled.
 */
function CarryAheadFacts({
  data,
  position,
  ahead: { intervals, isOfPeriod, atPredicted, mean },
}: CarryAheadFactsProps) {
  const last = data.series.prints.at(-1)?.row;
  if (last === undefined) return null;
  const many = countOf(intervals, 'interval');
  const explain = (how: string, value: typeof atPredicted) => () =>
    explainExactly(
      toPredictedFigure(
        data,
        position,
        last,
        value,
        `Assumption, no forecast: ${how} × ${describeSize(position)}${'notional' in position ? '' : ' at the last funding time'} × ${many}`,
      ),
    );
  return (
    <dl className={styles['estimate']} data-testid="carry-ahead">
      <div>
        <dt>If the rate stayed</dt>
        <dd>{isOfPeriod ? `rest of the period, ${many}` : `next 30 d, ${many}`}</dd>
      </div>
      <FigureFact
        name="◇ At the predicted rate"
        unit="USD"
        text={formatPayment(atPredicted)}
        provenance={explain('predicted rate', atPredicted)}
      />
      <FigureFact
        name="◇ At the 30 d mean"
        unit="USD"
        text={formatPayment(mean?.payment ?? null)}
        provenance={explain(
          `mean of the ${countOf(mean?.prints ?? 0, 'settled rate')} of the last 30 days`,
          mean?.payment ?? null,
        )}
      >
        {mean === null ? '' : `${formatRate(mean.rate)} % per 8 h; an assumption, not in the sum`}
      </FigureFact>
    </dl>
  );
}

interface CarryResultProps {
  readonly data: PerpetualData;
  readonly carry: Carry;
  readonly position: CarryPosition;
  readonly estimate: CarryPayment | null;
  readonly endsAt: Instant | null;
  readonly ahead: CarryAhead;
}

export function CarryResult({ data, carry, position, estimate, endsAt, ahead }: CarryResultProps) {
  const [zone] = useZone();
  const { payments, coverage, sum } = carry;
  const newest = useMemo(() => payments.toReversed(), [payments]);
  const columns = useMemo(
    () => createPaymentColumns(data, { position, payments, timeText: (at) => formatInstant(at, zone) }),
    [data, position, payments, zone],
  );
  const figures = useMemo(() => toCarryFigures(data, carry, position), [data, carry, position]);
  const last = data.series.prints.at(-1)?.row;
  const unit = data.product?.contract_size_unit ?? '';
  return (
    <>
      <dl className={styles['sum']} data-testid="carry-sum">
        <FigureFact name="Carry" unit="USD" text={formatPayment(sum)} provenance={() => explainExactly(figures.sum)}>
          {sum === null || sum.isZero() ? '' : sum.isNegative() ? 'paid' : 'received'}
        </FigureFact>
        <FigureFact
          name="Carry"
          unit={'notional' in position ? '% of notional' : '% of mean notional'}
          text={formatPercent(carry.share, { digits: 4, signed: true })}
          provenance={() => explainExactly(figures.share)}
        />
        <FigureFact
          name="Realised APR, simple"
          unit="% on mean notional"
          text={formatPercent(carry.apr, { digits: 2, signed: true })}
          provenance={() => explainExactly(figures.apr)}
        />
        <FigureFact
          name="Mean notional"
          unit="USD"
          text={formatNumber(carry.meanNotional, { digits: 2 })}
          provenance={() => explainExactly(figures.meanNotional)}
        />
        <FigureFact
          name="Coverage"
          unit="settled rates"
          text={`${formatCount(coverage.prints)} of ${formatCount(coverage.intervals)}`}
          provenance={() => explainExactly(figures.coverage)}
        >
          {describeGaps(carry)}
        </FigureFact>
      </dl>
      {estimate !== null && last !== undefined && (
        <dl className={styles['estimate']} data-testid="carry-estimate">
          <FigureFact
            name="◇ Predicted cash flow"
            unit="USD"
            text={formatPayment(estimate.payment)}
            provenance={() =>
              explainExactly(
                toPredictedFigure(
                  data,
                  position,
                  last,
                  estimate.payment,
                  'Predicted rate × contracts × contract size × price at the last funding time',
                ),
              )
            }
          >
            {describePredicted(position)}
          </FigureFact>
          <div>
            <dt>Funding time</dt>
            <dd>
              <Timestamp at={endsAt} />
            </dd>
          </div>
        </dl>
      )}
      <CarryAheadFacts data={data} position={position} ahead={ahead} />
      <p className={styles['remark']}>
        {'notional' in position
          ? `Notional of ${formatNumber(position.notional)} USD, the same at each funding time,`
          : `${formatNumber(position.contracts)} ${position.contracts.equals(1) ? 'contract' : 'contracts'} × ` +
            `${position.contractSize.toFixed()} ${unit} × ${PRICE_NAMES[position.price].toLowerCase()} price at each ` +
            `funding time (ticks × ${position.increment.toFixed()} USD)`}{' '}
        × rate. Positive = received, negative = paid. Funding only, of a position held unchanged.
        {!('notional' in position) &&
          ' The exchange does not publish at which price it charges funding, so its statement may differ.'}{' '}
        A settled rate counts in the period in which its interval ends.
      </p>
      <FigureGrid label="Payments" columns={columns} rows={newest} keyOf={keyOf} />
    </>
  );
}

function describePredicted(position: CarryPosition): string {
  return `not settled, not in the sum${'notional' in position ? '' : '; at the price of the last funding time'}`;
}

function keyOf({ print }: SettledPayment): string {
  return String(print.end);
}

function describeGaps({ unpriced, coverage: { missing, notSettled, notListed, notRead } }: Carry): string {
  return [
    unpriced > 0 && `${String(unpriced)} without a price (no payment)`,
    missing > 0 && `${formatCount(missing)} missing (not filled in)`,
    notSettled > 0 && `${String(notSettled)} not settled yet`,
    notListed > 0 && `${String(notListed)} before listing`,
    notRead > 0 && `${String(notRead)} not read`,
  ]
    .filter((remark) => remark !== false)
    .join(', ');
}
