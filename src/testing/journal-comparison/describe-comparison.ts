import {
  REASONS,
  type Compared,
  type Comparison,
  type JournaledChange,
  type ReadTimes,
  type Reason,
} from './compare-record.ts';

interface Described extends ReadTimes {
  /** The size of the sealed part of the journal. */
  readonly bytes: number;
  readonly changes: readonly JournaledChange[];
}

const KINDS = ['placed', 'filled', 'closed'] as const;

export function describeComparison(
  comparison: Comparison,
  { first, last, gaps, bytes, changes }: Described,
): readonly string[] {
  const total = (valueOf: (compared: Compared) => number): number =>
    KINDS.reduce((sum, kind) => sum + valueOf(comparison[kind]), 0);
  const row = (name: string, valueOf: (compared: Compared) => number): string =>
    [
      name.padEnd(58),
      ...[...KINDS.map((kind) => valueOf(comparison[kind])), total(valueOf)].map((value) =>
        value.toLocaleString('en').padStart(9),
      ),
    ].join('');
  const reasons = (Object.keys(REASONS) as Reason[]).filter((reason) => total(({ missed }) => missed[reason]) > 0);
  return [
    `From ${toTime(first)} to ${toTime(last)} by the exchange’s clock, with ` +
      `${gaps.length === 1 ? '1 gap' : `${String(gaps.length)} gaps`}.`,
    '',
    ['orders'.padEnd(58), ...[...KINDS, 'all'].map((kind) => kind.padStart(9))].join(''),
    row('happened, by what the exchange stored', ({ happened }) => happened),
    row('seen by the journal', ({ seen }) => seen),
    ...reasons.map((reason) => row(`  ${REASONS[reason]}`, ({ missed }) => missed[reason])),
    '',
    `Before the first reading or after the last one, and not compared: ${comparison.outside.toLocaleString('en')}.`,
    `Of ${countOf(changes, 'gone')} orders that were gone, the journal has how ` +
      `${comparison.ended.toLocaleString('en')} ended.`,
    `The journal has ${changes.length.toLocaleString('en')} changes ` +
      `(${['seen', 'changed', 'gone', 'ended', 'passed'].map((kind) => `${countOf(changes, kind)} ${kind}`).join(', ')}); ` +
      `its sealed part takes ${bytes.toLocaleString('en')} bytes.`,
  ];
}

function countOf(changes: readonly JournaledChange[], kind: string): string {
  return changes.filter((change) => change.kind === kind).length.toLocaleString('en');
}

function toTime(instant: number): string {
  return new Date(instant).toISOString();
}
