import { useMemo } from 'react';
import type { EstimatedFundingRateData } from '#contract/funding.ts';
import { toDecimal } from '#domain/decimal.ts';
import { formatRate } from '#domain/format-number.ts';
import { SIDE_WORDS, toSide, type FundingSide } from '#domain/funding/my-side.ts';
import { RATE_FORM_LOOKS } from '#domain/funding/rate-form.ts';
import type { Sourced } from '#domain/source.ts';
import { asWritten } from '#domain/wire-row.ts';
import { ChartFrame } from '#ui/chart/chart-frame.tsx';
import type { Picture } from '#ui/chart/picture.ts';
import { withNotes } from '#ui/chart/with-notes.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { useZone } from '#ui/preferences/use-preferences.tsx';
import { formatInstant } from '#ui/time/format-time.ts';
import type { OneData } from './one-data.ts';
import { toRangeStart } from './one-data.ts';
import { ONE_PARAMS } from './one-params.ts';
import { createPrintNotes } from './print-notes.ts';
import { PrintsCsv } from './prints-csv.tsx';
import { toRatePicture } from './to-rate-picture.ts';
import { toSlots, type Slot } from './to-slots.ts';

interface RateChartProps {
  readonly data: OneData;
  readonly estimate: Sourced<EstimatedFundingRateData> | null;
}

/** Settled prints, the estimate of the interval in progress, the premium, mark and index. */
export function RateChart({ data, estimate }: RateChartProps) {
  const [range] = useUrlState(ONE_PARAMS.range);
  const [form] = useUrlState(ONE_PARAMS.form);
  const [side] = useUrlState(ONE_PARAMS.side);
  const [view, setView] = useUrlState(ONE_PARAMS.view);
  const [zone] = useZone();
  const { series, perpetual } = data;
  const slots = useMemo(() => toSlots(series, toRangeStart(series, range)), [series, range]);
  const inProgress = estimate?.value ?? null;
  const bare = useMemo(
    () => toRatePicture(data, slots, inProgress, { form, side, formatTime: (at) => formatInstant(at, zone) }),
    [data, slots, inProgress, form, side, zone],
  );
  const picture = useMemo(() => withNotes(bare, createPrintNotes(data, slots, estimate, { form, side })), [bare, data, slots, estimate, form, side]);
  const missing = slots.filter(({ print }) => print === null).length;
  const name = perpetual.base_symbol;
  return (
    <ChartFrame
      label={`${name}, funding in ${RATE_FORM_LOOKS[form].unit}`}
      summary={summarise(picture, slots, side)}
      picture={picture}
      subject={`${name} ${range}`}
      scale="linear"
      view={view}
      onView={setView}
      fileName={`funding-${name}-${range}`}
      actions={<PrintsCsv data={data} slots={slots} side={side} />}
      remarks={
        <>
          <span>{SIDE_WORDS[side]}.</span>
          <span>Dashed: zero, and the baseline of 0.01 % per 8 h.</span>
          <span>Each print is drawn over its interval, and told at its end. ◇ is the estimate of the interval in progress.</span>
          <span>{missing === 0 ? 'No interval is missing.' : `${String(missing)} intervals without a print that counts are hatched: none is filled.`}</span>
          <span>Mark and index are of the interval’s end, {data.conversion?.withheld === null ? 'converted by the published increment' : 'in ticks as they came'}.</span>
        </>
      }
    />
  );
}

function summarise({ timeText }: Picture, slots: readonly Slot[], side: FundingSide): string {
  const rates = slots.flatMap(({ print }) => print ?? []).map(({ row }) => toSide(toDecimal(asWritten(row, 'funding_rate')), side));
  rates.sort((a, b) => a.comparedTo(b));
  const [lowest, highest] = [rates[0], rates.at(-1)];
  if (lowest === undefined || highest === undefined) return 'No settled print in this range.';
  return `${String(slots.length)} intervals from ${timeText(0)} to ${timeText(slots.length - 1)}, rates from ${formatRate(lowest)} % to ${formatRate(highest)} % per 8 h. ${SIDE_WORDS[side]}.`;
}
