import { useState } from 'react';
import type { Instant } from '#contract/instant.ts';
import { toDecimal, type Decimal } from '#domain/decimal.ts';
import { commonFractionDigits, formatNumber, formatPercent, formatRate } from '#domain/format-number.ts';
import type { Carry, CarryPayment, CarryPosition, SettledPayment } from '#domain/funding/carry.ts';
import { asWritten } from '#domain/wire-row.ts';
import { Table, type Column } from '#ui/table.tsx';
import { Moment } from '#ui/time/moment.tsx';
import type { OneData } from './one-data.ts';
import styles from './one.module.css';

interface CarryResultProps {
  readonly data: OneData;
  readonly carry: Carry;
  readonly position: CarryPosition;
  readonly estimate: CarryPayment | null;
  readonly endsAt: Instant | null;
}

/** More than anybody reads at once. */
const FIRST_ROWS = 30;
const PRICE_NAMES = { price_index: 'Index', mark_price: 'Mark' } as const;

export function CarryResult({ data, carry, position, estimate, endsAt }: CarryResultProps) {
  const [all, setAll] = useState(false);
  const { payments, coverage, sum, apr, meanNotional } = carry;
  const newest = payments.toReversed();
  const shown = all ? newest : newest.slice(0, FIRST_ROWS);
  const unit = data.product?.contract_size_unit ?? '';
  return (
    <>
      <dl className={styles['sum']} data-testid="carry-sum">
        <Fact name="Sum" unit="USD" text={formatUsd(sum)} exact={sum} remark={sum === null ? '' : sum.isNegative() ? 'paid' : 'received'} />
        <Fact name="Realised APR, simple" unit="% on mean notional" text={formatPercent(apr, { digits: 2, signed: true })} exact={apr} />
        <Fact name="Mean notional" unit="USD" text={formatNumber(meanNotional, { digits: 2 })} exact={meanNotional} />
        <Fact name="Coverage" unit="settled prints" text={`${String(coverage.prints)} of ${String(coverage.intervals)}`} exact={null} remark={describeGaps(carry)} />
      </dl>
      {estimate !== null && (
        <dl className={styles['estimate']} data-testid="carry-estimate">
          <Fact name="◇ Estimate of the interval in progress" unit="USD" text={formatUsd(estimate.payment)} exact={estimate.payment} remark="not settled, not in the sum; at the last print’s price" />
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
      <Table caption="Payments" columns={createColumns(position, payments)} rows={shown} keyOf={({ print }) => String(print.end)} />
      {shown.length < newest.length && (
        <p className={styles['remark']}>
          The newest {shown.length} of {newest.length}.{' '}
          <button
            type="button"
            onClick={() => {
              setAll(true);
            }}
          >
            Show all
          </button>
        </p>
      )}
    </>
  );
}

function createColumns({ price, increment }: CarryPosition, payments: readonly SettledPayment[]): readonly Column<SettledPayment>[] {
  const digits = commonFractionDigits(payments.map(({ print }) => asWritten(print.row, price)));
  const usdDigits = Math.min(10, digits + increment.decimalPlaces());
  return [
    { name: 'Interval end', cell: ({ print }) => <Moment at={print.row.interval_end} /> },
    { name: 'Rate', unit: '% per 8 h', numeric: true, cell: ({ rate }) => formatRate(rate) },
    { name: PRICE_NAMES[price], unit: 'ticks', numeric: true, cell: ({ print }) => formatNumber(toDecimal(asWritten(print.row, price)), { digits }) },
    { name: 'Price', unit: 'USD', numeric: true, cell: ({ priceUsd }) => formatNumber(priceUsd, { digits: usdDigits }) },
    { name: 'Notional', unit: 'USD', numeric: true, cell: ({ notional }) => <span title={notional.toFixed()}>{formatNumber(notional, { digits: 2 })}</span> },
    { name: 'Payment', unit: 'USD', numeric: true, cell: ({ payment }) => <span title={payment.toFixed()}>{formatUsd(payment)}</span> },
  ];
}

function describeGaps({ coverage: { missing, notListed, notRead } }: Carry): string {
  return [missing > 0 && `${String(missing)} missing, not filled`, notListed > 0 && `${String(notListed)} before its launch`, notRead > 0 && `${String(notRead)} not read`].filter((remark) => remark !== false).join(', ');
}

/** Small positions are paid fractions of a cent. */
function formatUsd(value: Decimal | null): string {
  return formatNumber(value, { digits: 4, signed: true });
}

interface FactProps {
  readonly name: string;
  readonly unit: string;
  readonly text: string;
  readonly exact: Decimal | null;
  readonly remark?: string;
}

function Fact({ name, unit, text, exact, remark = '' }: FactProps) {
  return (
    <div>
      <dt>
        {name} <span className={styles['faint']}>{unit}</span>
      </dt>
      <dd>
        <span title={exact?.toFixed()}>{text}</span>
        {remark !== '' && <span className={styles['faint']}> {remark}</span>}
      </dd>
    </div>
  );
}
