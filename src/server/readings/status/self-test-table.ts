import type { SelfTestRow } from './self-test.ts';

const MARKS: Readonly<Record<SelfTestRow['outcome'], string>> = {
  'good': 'good',
  'drift': 'CHANGED',
  'failed': 'FAILED',
  'not offered': 'not offered',
  'not tried': 'not tried',
};

/** A table for people: what was checked, the result, and what to change. */
export function formatSelfTest(rows: readonly SelfTestRow[]): string {
  const width = Math.max(...rows.map(({ subject }) => subject.length));
  const lines = rows.map(
    ({ subject, outcome, remark }) => `${subject.padEnd(width)}  ${MARKS[outcome].padEnd(11)}  ${remark}`,
  );
  const failed = rows.filter(({ outcome }) => outcome === 'failed').length;
  return [
    ...lines,
    '',
    failed === 0 ? 'All checks passed.' : `${String(failed)} of ${String(rows.length)} failed.`,
  ].join('\n');
}
