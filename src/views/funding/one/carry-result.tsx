import { useMemo } from 'react';
import type { Instant } from '#contract/instant.ts';
import { formatNumber, formatPercent } from '#domain/format-number.ts';
import type { Carry, CarryPayment, CarryPosition, SettledPayment } from '#domain/funding/carry.ts';
import { useZone } from '#ui/preferences/use-preferences.tsx';
import { formatInstant } from '#ui/time/format-time.ts';
import { Moment } from '#ui/time/moment.tsx';
import { FigureGrid } from '../figure-grid.tsx';
import { explainExactly, toCarryFigures, toEstimatedFigure } from './carry-figures.ts';
import { formatPayment, PRICE_NAMES } from './carry-text.ts';
import { FigureFact } from './figure-fact.tsx';
import type { OneData } from './one-data.ts';
import { createPaymentColumns } from './payment-columns.ts';
import styles from './one.module.css';

interface CarryResultProps {
  readonly data: OneData;
  readonly carry: Carry;
  readonly position: CarryPosition;
  readonly estimate: CarryPayment | null;
  readonly endsAt: Instant | null;
}

export function CarryResult({ data, carry, position, estimate, endsAt }: CarryResultProps) {
  const [zone] = useZone();
  const { payments, coverage, sum } = carry;
  const newest = useMemo(() => payments.toReversed(), [payments]);
  const columns = useMemo(() => createPaymentColumns(data, { position, payments, timeText: (at) => formatInstant(at, zone) }), [data, position, payments, zone]);
  const figures = useMemo(() => toCarryFigures(data, carry, position), [data, carry, position]);
  const last = data.series.prints.at(-1)?.row;
  const unit = data.product?.contract_size_unit ?? '';
  return (
    <>
      <dl className={styles['sum']} data-testid="carry-sum">
        <FigureFact name="Sum" unit="USD" text={formatPayment(sum)} provenance={() => explainExactly(figures.sum)}>
          {sum === null || sum.isZero() ? '' : sum.isNegative() ? 'paid' : 'received'}
        </FigureFact>
        <FigureFact name="Realised APR, simple" unit="% on mean notional" text={formatPercent(carry.apr, { digits: 2, signed: true })} provenance={() => explainExactly(figures.apr)} />
        <FigureFact name="Mean notional" unit="USD" text={formatNumber(carry.meanNotional, { digits: 2 })} provenance={() => explainExactly(figures.meanNotional)} />
        <FigureFact name="Coverage" unit="settled prints" text={`${String(coverage.prints)} of ${String(coverage.intervals)}`} provenance={() => explainExactly(figures.coverage)}>
          {describeGaps(carry)}
        </FigureFact>
      </dl>
      {estimate !== null && last !== undefined && (
        <dl className={styles['estimate']} data-testid="carry-estimate">
          <FigureFact name="◇ Estimate of the interval in progress" unit="USD" text={formatPayment(estimate.payment)} provenance={() => explainExactly(toEstimatedFigure(data, position, last, estimate.payment))}>
            not settled, not in the sum; at the last print’s price
          </FigureFact>
          <div>
            <dt>Ends at</dt>
            <dd>
              <Moment at={endsAt} />
            </dd>
          </div>
        </dl>
      )}
      <p className={styles['remark']}>
        {formatNumber(position.contracts)} {position.contracts.equals(1) ? 'contract' : 'contracts'} × {position.contractSize.toFixed()} {unit} × {PRICE_NAMES[position.price].toLowerCase()} price of each print (ticks × {position.increment.toFixed()} USD) × its rate. Below zero is
        paid. Exact: nothing is rounded but for showing. A print belongs to the stretch by its end.
      </p>
      <FigureGrid label="Payments" columns={columns} rows={newest} keyOf={keyOf} />
    </>
  );
}

function keyOf({ print }: SettledPayment): string {
  return String(print.end);
}

function describeGaps({ coverage: { missing, notSettled, notListed, notRead } }: Carry): string {
  return [missing > 0 && `${String(missing)} missing, not filled`, notSettled > 0 && `${String(notSettled)} not settled yet`, notListed > 0 && `${String(notListed)} before its launch`, notRead > 0 && `${String(notRead)} not read`].filter((remark) => remark !== false).join(', ');
}
