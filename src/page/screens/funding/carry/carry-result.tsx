import { useMemo } from 'react';
import type { Instant } from '#contract/exchange/instant.ts';
import { formatNumber, formatPercent } from '#model/format/number.ts';
import type { CarryAhead } from '#model/funding/carry-ahead.ts';
import type { Carry, CarryPayment, CarryPosition, SettledPayment } from '#model/funding/carry.ts';
import { useZone } from '#page/kit/preferences/use-preferences.tsx';
import { formatInstant } from '#model/format/format-time.ts';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { FigureGrid } from '../figure-grid.tsx';
import { CarryAheadFacts } from './carry-ahead.tsx';
import {
  explainExactly,
  formatPayment,
  PRICE_NAMES,
  toCarryFigures,
  toPredictedFigure,
} from '#model/tables/funding/carry-figures.ts';
import { FigureFact } from '../figure-fact.tsx';
import type { PerpetualData } from '#model/tables/funding/perpetual-data.ts';
import { createPaymentColumns } from './payment-columns.ts';
import styles from '../perpetual.module.css';

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
          text={`${String(coverage.prints)} of ${String(coverage.intervals)}`}
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
            not settled, not in the sum; at the price of the last funding time
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
        {formatNumber(position.contracts)} {position.contracts.equals(1) ? 'contract' : 'contracts'} ×{' '}
        {position.contractSize.toFixed()} {unit} × {PRICE_NAMES[position.price].toLowerCase()} price at each funding
        time (ticks × {position.increment.toFixed()} USD) × rate. Positive = received, negative = paid. Funding only, of
        a position held unchanged. The exchange does not publish at which price it charges funding, so its statement may
        differ. A settled rate counts in the period in which its interval ends.
      </p>
      <FigureGrid label="Payments" columns={columns} rows={newest} keyOf={keyOf} />
    </>
  );
}

function keyOf({ print }: SettledPayment): string {
  return String(print.end);
}

function describeGaps({ unpriced, coverage: { missing, notSettled, notListed, notRead } }: Carry): string {
  return [
    unpriced > 0 && `${String(unpriced)} without a price (no payment)`,
    missing > 0 && `${String(missing)} missing (not filled in)`,
    notSettled > 0 && `${String(notSettled)} not settled yet`,
    notListed > 0 && `${String(notListed)} before listing`,
    notRead > 0 && `${String(notRead)} not read`,
  ]
    .filter((remark) => remark !== false)
    .join(', ');
}
