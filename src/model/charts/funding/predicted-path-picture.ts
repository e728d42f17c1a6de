import { toNumber } from '#contract/exchange/brand.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import { formatRate, NO_VALUE } from '../../format/number.ts';
import { type FundingSide, signOf, toSide } from '../../funding/funding-side.ts';
import type { StoredPrediction } from '../../funding/predicted-path.ts';
import { type Decimal, toDecimal } from '../../units/decimal.ts';
import type { Picture } from '../picture.ts';
import { formatAxis } from '../../tables/funding/format-axis.ts';
import { formatShare } from '../../tables/funding/interval-text.ts';

interface PictureChoices {
  readonly side: FundingSide;
  readonly formatTime: (epochMillis: number) => string;
}

/** With all its digits. */
export function rateOf(prediction: StoredPrediction, side: FundingSide): Decimal {
  return toSide(toDecimal(wireText(prediction, 'estimate')), side);
}

/** A line through the predicted rates of an interval; the latest is marked, as it is the one that counts. */
export function toPredictedPathPicture(
  path: readonly StoredPrediction[],
  { side, formatTime }: PictureChoices,
): Picture {
  const at = (index: number, read: (prediction: StoredPrediction) => string): string => {
    const prediction = path[index];
    return prediction === undefined ? NO_VALUE : read(prediction);
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
        // A single reading is no line.
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
        text: (index) => at(index, (prediction) => formatRate(rateOf(prediction, side))),
      },
      { name: 'Elapsed', unit: '', text: (index) => at(index, ({ share }) => formatShare(share)) },
      { name: 'Weight so far', unit: '', text: (index) => at(index, ({ share }) => formatShare(share * share)) },
    ],
  };
}
