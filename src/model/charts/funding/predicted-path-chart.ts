import { toNumber } from '#contract/exchange/brand.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { formatRate, NO_VALUE } from '../../format/number.ts';
import { type FundingSide, signOf, toSide } from '../../funding/funding-rate.ts';
import type { PredictedRate } from '../../funding/predicted-rates.ts';
import { type Decimal, toDecimal } from '../../units/decimal.ts';
import type { ChartData } from '../chart-data.ts';
import { formatAxis, formatShare } from '../../tables/funding/rate-text.ts';

interface ChartDataChoices {
  readonly side: FundingSide;
  readonly formatTime: (epochMillis: number) => string;
}

/** Returns the predicted rate with the sign of the side and all of its digits. */
export function rateOf(predictedRate: PredictedRate, side: FundingSide): Decimal {
  return toSide(toDecimal(wireText(predictedRate, 'estimate')), side);
}

/** Draws an interval's predicted rates as a line and marks the latest, the one that counts. */
export function toPredictedPathChartData(
  path: readonly PredictedRate[],
  { side, formatTime }: ChartDataChoices,
): ChartData {
  const at = (index: number, read: (predictedRate: PredictedRate) => string): string => {
    const predictedRate = path[index];
    return predictedRate === undefined ? NO_VALUE : read(predictedRate);
  };
  const values = path.map(({ estimate }) => signOf(side) * toNumber(estimate) * 100 + 0);
  const latest = values.at(-1);
  return {
    times: path.map(({ read_at }) => Math.floor(Date.parse(read_at) / 1_000)),
    timeName: 'Read at',
    timeText: (index) => at(index, ({ read_at }) => formatTime(Date.parse(read_at))),
    panes: [
      {
        ...{ name: 'Predicted rate', unit: '% per 8 h', share: 1, format: (value: number) => formatAxis(value, 4) },
        // A single point makes no line: only its mark is drawn.
        series: [
          {
            kind: 'line',
            ink: 'accent',
            stroke: 'dashed',
            values: values.length > 1 ? values : values.map(() => null),
          },
        ],
        levels: [{ name: 'zero', value: 0, ink: 'faint' }],
        outlined: latest === undefined ? [] : [{ index: values.length - 1, value: latest }],
      },
    ],
    readouts: [
      {
        name: 'Predicted rate',
        unit: '% per 8 h',
        ink: 'accent',
        stroke: 'dashed',
        text: (index) => at(index, (predictedRate) => formatRate(rateOf(predictedRate, side))),
      },
      { name: 'Elapsed', unit: '', text: (index) => at(index, ({ share }) => formatShare(share)) },
      { name: 'Weight so far', unit: '', text: (index) => at(index, ({ share }) => formatShare(share * share)) },
    ],
  };
}
