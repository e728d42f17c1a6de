import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Answer } from '#api/answer.ts';
import type { DeskEstimates } from '#contract/desk-funding.ts';
import { boundaryAt } from '#testing/funding-prints.ts';
import { MissesTable } from './misses-table.tsx';

it('of estimates that have not settled it tells how many intervals they are of', () => {
  const tell = (ends: readonly number[]): string => {
    const estimates = ends.map((end) => ({ interval_end: boundaryAt(end), settled: null }));
    return renderToStaticMarkup(<MissesTable answer={{ value: { estimates } } as unknown as Answer<DeskEstimates>} />);
  };
  expect(tell([])).toContain('None has been read so far.');
  expect(tell([3, 3])).toContain('1 interval is not settled yet.');
  expect(tell([2, 3, 3])).toContain('2 intervals are not settled yet.');
});
