import type { Result } from './suite.ts';

const MARKS = { passed: '  ok ', failed: 'FAIL ', skipped: '  -  ' } as const;

/** By area: a failed check says what was found, a skipped one says why. */
export function formatReport(results: readonly Result[], requests: number): string {
  const areas = Map.groupBy(results, ({ check }) => check.area);
  const parts = [...areas].map(([area, ofArea]) => [area, ...ofArea.map(formatResult)].join('\n'));
  return [...parts, summaryOf(results, requests)].join('\n\n');
}

function formatResult({ check, outcome, remark }: Result): string {
  const source = check.source === 'interface' ? '' : ` [${check.source}]`;
  return `${MARKS[outcome]} ${check.title}${source}${remark === undefined ? '' : `: ${remark}`}`;
}

function summaryOf(results: readonly Result[], requests: number): string {
  const count = (outcome: Result['outcome']) => String(results.filter((result) => result.outcome === outcome).length);
  return `conformance: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped; ${String(requests)} requests`;
}
