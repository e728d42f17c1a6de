import { describe, expect, it } from 'vitest';
import type { PredictedRate } from '../../funding/predicted-rates.ts';
import { parseKeepingDigits } from '#contract/parse/json-text.ts';
import { toPredictedPathChartData } from './predicted-path-chart.ts';

function predictedRates(...rows: readonly (readonly [share: number, estimate: string])[]): readonly PredictedRate[] {
  const texts = rows.map(
    ([share, estimate]) =>
      `{"base_symbol":"BTCUC","interval_end":"2026-08-17T08:00:00Z","share":${String(share)},"estimate":${estimate},"settled":null,"read_at":"2026-08-17T0${String(Math.floor(share * 8))}:00:00.500Z"}`,
  );
  return parseKeepingDigits(`[${texts.join(',')}]`) as readonly PredictedRate[];
}

const choices = { side: 'market', formatTime: (at: number) => new Date(at).toISOString() } as const;

describe('the path of a predicted rate', () => {
  const path = predictedRates([0.25, '0.0001'], [0.5, '-0.00025']);

  it('is drawn and read out as it was recorded, and its latest point is marked', () => {
    const {
      times,
      timeText,
      panes: [pane],
      readouts,
    } = toPredictedPathChartData(path, choices);
    expect(times).toEqual([Date.UTC(2026, 7, 17, 2) / 1_000, Date.UTC(2026, 7, 17, 4) / 1_000]);
    expect(timeText(1)).toBe('2026-08-17T04:00:00.500Z');
    expect(pane?.series[0]?.values).toEqual([0.01, -0.025]);
    expect(pane?.outlined).toEqual([{ index: 1, value: -0.025 }]);
    expect(readouts.map(({ text }) => text(1))).toEqual(['−0.0250', '50.0 %', '25.0 %']);
  });

  it('has the sign of the chosen side', () => {
    const {
      panes: [pane],
      readouts: [rate],
    } = toPredictedPathChartData(path, { ...choices, side: 'long' });
    expect(pane?.series[0]?.values).toEqual([-0.01, 0.025]);
    expect(rate?.text(0)).toBe('−0.0100');
  });

  it('is a mark without a line after one reading', () => {
    const {
      panes: [pane],
    } = toPredictedPathChartData(path.slice(0, 1), choices);
    expect(pane?.series[0]?.values).toEqual([null]);
    expect(pane?.outlined).toHaveLength(1);
  });
});
