import { countOf } from '#model/format/count.ts';
import { describeRevision, formatIntervalLength, type FundingFault, nameFault } from '#model/funding/funding-faults.ts';
import { IMPLAUSIBLE_INTEREST, IMPLAUSIBLE_RATE } from '#model/funding/funding-rate.ts';
import type { Source } from '#model/response.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import type { Fact } from '#model/format/provenance.ts';
import { Figure } from '#page/kit/figure.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { toOriginFacts } from '#model/tables/funding/rate-text.ts';
import type { PerpetualData } from '#model/tables/funding/perpetual-data.ts';
import { withUniqueKeys } from './unique-keys.ts';
import styles from '../perpetual.module.css';

function createColumns(source: Source): readonly Column<FundingFault>[] {
  return [
    { name: 'Fault', cell: (fault) => <Kind fault={fault} source={source} /> },
    { name: 'From', cell: (fault) => ('start' in fault ? <Timestamp at={toIso(fault.start)} /> : '–') },
    { name: 'To', cell: (fault) => ('end' in fault ? <Timestamp at={toIso(fault.end)} /> : '–') },
    { name: 'Effect', cell: (fault) => <span className={styles['wrap']}>{explain(fault)}</span> },
  ];
}

function Kind({ fault, source }: { readonly fault: FundingFault; readonly source: Source }) {
  const prints = [...('prints' in fault ? fault.prints : []), ...('before' in fault ? [fault.before] : [])];
  const rates = prints.map((row): Fact => ({
    name: 'Settled rate',
    value: `${row.interval_start} to ${row.interval_end}: ${wireText(row, 'funding_rate')}`,
    code: true,
  }));
  const facts: readonly Fact[] = [
    ...(rates.length > 0
      ? rates
      : [
          {
            name: 'Computed',
            value:
              'From the end of the previous interval to the start of the next, or to the newest that ' +
              'should have settled.',
          },
        ]),
    ...toOriginFacts(source),
  ];
  return (
    <StatusBadge state="attention">
      <Figure name="Fault" text={nameFault(fault)} provenance={() => facts} />
    </StatusBadge>
  );
}

/** Lists and counts the faults in the history. Perpdesk never repairs them. */
export function FaultsTable({ data: { series, perpetual, source } }: { readonly data: PerpetualData }) {
  const { faults } = series;
  const since = (
    <>
      {perpetual.reaches_launch ? 'Listed ' : 'First known interval: '}
      <Timestamp at={perpetual.known_from} />.{' '}
      {perpetual.reaches_launch
        ? 'Earlier intervals are not gaps.'
        : 'The exchange returns no earlier rate, but nothing confirms that the perpetual was listed then.'}
    </>
  );
  if (faults.length === 0) {
    return (
      <EmptyState title="No gaps or faults">
        <p>Every interval {series.isBehind && 'that could be read '}has one settled rate and lasts 8 h.</p>
        <p>{since}</p>
      </EmptyState>
    );
  }
  return (
    <>
      <Table
        caption="Gaps and faults"
        columns={createColumns(source)}
        rows={withUniqueKeys(faults, toText).toReversed()}
        keyOf={({ key }) => key}
      />
      <p className={styles['remark']}>{since}</p>
    </>
  );
}

function explain(fault: FundingFault): string {
  switch (fault.kind) {
    case 'gap':
      return `${countOf(fault.intervals, 'interval')} without a settled rate. Not filled in; excluded from every sum.`;
    case 'duplicate':
      return (
        `Interval reported ${String(fault.prints.length)} times ` +
        (fault.agree ? 'with the same rate. Counted once.' : 'with different rates. Excluded from sums.')
      );
    case 'overlap':
      return 'Starts before the previous interval ended. Excluded from sums.';
    case 'not 8 h':
      return `Lasts ${formatIntervalLength(fault)} instead of 8 h. Not annualised; excluded from sums.`;
    case 'off schedule':
      return 'Does not start at 00, 08 or 16 UTC. Excluded from sums.';
    case 'implausible rate':
      return `The rate is ${IMPLAUSIBLE_RATE}. Counted in every sum.`;
    case 'implausible interest rate':
      return `The interest rate is ${IMPLAUSIBLE_INTEREST}. The rate is counted in every sum.`;
    case 'revised':
      return `The rate is ${describeRevision(fault)}. The last published counts.`;
    case 'withdrawn':
      return 'The exchange no longer publishes it. Counted in every sum.';
    case 'unreadable':
      return 'Unreadable interval times. Excluded from sums.';
  }
}

function toText(fault: FundingFault): string {
  return 'start' in fault ? `${fault.kind} ${String(fault.start)} ${String(fault.end)}` : fault.kind;
}

function toIso(time: number): string {
  return new Date(time).toISOString();
}
