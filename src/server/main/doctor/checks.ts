import { toPlainLine } from '#server/alerts/notifications/notification.ts';

/** The result of one check: what was found and, unless all is well, what to do. */
export interface Check {
  readonly subject: string;
  readonly outcome: 'ok' | 'warning' | 'failed';
  readonly remark: string;
}

export const ok = (subject: string, remark: string): Check => ({ subject, outcome: 'ok', remark });
export const warning = (subject: string, remark: string): Check => ({ subject, outcome: 'warning', remark });
export const failed = (subject: string, remark: string): Check => ({ subject, outcome: 'failed', remark });

const MARKS: Readonly<Record<Check['outcome'], string>> = { ok: 'ok', warning: 'WARNING', failed: 'FAILED' };

const LONGEST_REMARK = 1_000;

/** Formats checks as a table for people. Texts of other machines in it cannot make lines of their own. */
export function formatChecks(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ subject }) => subject.length));
  const lines = checks.map(
    ({ subject, outcome, remark }) =>
      `${subject.padEnd(width)}  ${MARKS[outcome].padEnd(7)}  ${toPlainLine(remark, LONGEST_REMARK)}`,
  );
  const count = (sought: Check['outcome']): number => checks.filter(({ outcome }) => outcome === sought).length;
  const warnings = count('warning');
  const found = [
    ...(count('failed') > 0 ? [`${String(count('failed'))} of ${String(checks.length)} checks failed`] : []),
    ...(warnings > 0 ? [`${String(warnings)} ${warnings === 1 ? 'warning' : 'warnings'}`] : []),
  ];
  return [...lines, '', found.length === 0 ? 'All checks passed.' : `${found.join(', ')}.`].join('\n');
}
