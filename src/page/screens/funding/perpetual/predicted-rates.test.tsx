import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { ApiResponse } from '#model/response.ts';
import type { DeskEstimates } from '#contract/desk/funding.ts';
import { fundingTimeAt } from '#testing/settled-rates.ts';
import { PredictedRateErrorTable } from './predicted-rates.tsx';

it('counts the intervals of predictions that have not settled', () => {
  const render = (ends: readonly number[]): string => {
    const estimates = ends.map((end) => ({ interval_end: fundingTimeAt(end), settled: null }));
    return renderToStaticMarkup(
      <PredictedRateErrorTable response={{ value: { estimates } } as unknown as ApiResponse<DeskEstimates>} />,
    );
  };
  expect(render([])).toContain('No predicted rate has been read so far.');
  expect(render([3, 3])).toContain('1 interval is not settled yet.');
  expect(render([2, 3, 3])).toContain('2 intervals are not settled yet.');
});
