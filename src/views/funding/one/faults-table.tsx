import { countOf } from '#domain/format-count.ts';
import type { FundingFault } from '#domain/funding/find-faults.ts';
import { formatIntervalLength } from '#domain/funding/format-interval-length.ts';
import type { Source } from '#domain/source.ts';
import { asWritten } from '#domain/wire-row.ts';
import type { Fact } from '#ui/fact-list.tsx';
import { Figure } from '#ui/figure.tsx';
import { Nothing } from '#ui/panel/panel-body.tsx';
import { StateWord } from '#ui/state-word.tsx';
import { Table, type Column } from '#ui/table.tsx';
import { formatInAllZones } from '#ui/time/format-time.ts';
import { Moment } from '#ui/time/moment.tsx';
import type { OneData } from './one-data.ts';
import { withOwnKeys } from './own-keys.ts';
import styles from './one.module.css';

function createColumns(source: Source): readonly Column<FundingFault>[] {
  return [
    { name: 'What', cell: (fault) => <Kind fault={fault} source={source} /> },
    { name: 'From', cell: (fault) => ('start' in fault ? <Moment at={toIso(fault.start)} /> : '–') },
    { name: 'To', cell: (fault) => ('end' in fault ? <Moment at={toIso(fault.end)} /> : '–') },
    { name: 'Which means', cell: (fault) => <span className={styles['wrap']}>{explain(fault)}</span> },
  ];
}

/** Tells the prints that it is about, as they came. */
function Kind({ fault, source }: { readonly fault: FundingFault; readonly source: Source }) {
  const prints = 'prints' in fault ? fault.prints : [];
  const told = prints.map((row): Fact => ({ name: 'Print', value: `${row.interval_start} to ${row.interval_end}: ${asWritten(row, 'funding_rate')}`, code: true }));
  const facts: readonly Fact[] = [
    ...(told.length > 0 ? told : [{ name: 'Computed', value: 'From the end of the print before it to the start of the one after it.' }]),
    { name: 'Endpoint', value: `GET ${source.target}`, code: true },
    { name: 'Received', value: formatInAllZones(source.receivedAt) },
  ];
  return (
    <StateWord state="attention">
      <Figure name="Fault" text={fault.kind} provenance={() => facts} />
    </StateWord>
  );
}

/** What is wrong with the history that was read: found, told and counted, never mended. */
export function FaultsTable({ data: { series, perpetual, source } }: { readonly data: OneData }) {
  const { faults } = series;
  const launch = perpetual.reaches_launch ? 'Known since the launch: ' : 'Known since ';
  const since = (
    <p className={styles['remark']}>
      {launch}
      <Moment at={perpetual.known_from} />. {perpetual.reaches_launch ? 'What is before was not listed yet, and is no hole.' : 'What is before has not been read.'}
    </p>
  );
  if (faults.length === 0) {
    return (
      <Nothing title="No gap and no fault">
        <p>Every interval read has one print of eight hours.</p>
        {since}
      </Nothing>
    );
  }
  return (
    <>
      <Table caption="Gaps and faults" columns={createColumns(source)} rows={withOwnKeys(faults, toText).toReversed()} keyOf={({ key }) => key} />
      {since}
    </>
  );
}

function explain(fault: FundingFault): string {
  switch (fault.kind) {
    case 'hole':
      return `${countOf(fault.intervals, 'interval')} without a print. Not filled; left out of every sum.`;
    case 'duplicate':
      return `The same interval ${String(fault.prints.length)} times. ${fault.agree ? 'All say the same: counted once.' : 'They contradict each other: not counted.'}`;
    case 'overlap':
      return 'It begins before the print before it had ended. Not counted.';
    case 'odd length':
      return `It lasts ${formatIntervalLength(fault)} and not 8 h. Never annualised; left out of windows.`;
    case 'off the boundaries':
      return 'It does not begin at 00, 08 or 16 UTC. Left out of windows.';
    case 'unreadable':
      return 'Its times name no moment. Not counted.';
  }
}

function toText(fault: FundingFault): string {
  return 'start' in fault ? `${fault.kind} ${String(fault.start)} ${String(fault.end)}` : fault.kind;
}

function toIso(moment: number): string {
  return new Date(moment).toISOString();
}
