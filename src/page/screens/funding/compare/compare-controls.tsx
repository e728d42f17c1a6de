import { toDay } from '#model/time/calendar.ts';
import { RangePicker } from '#page/kit/chart/range-picker.tsx';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { useNowSelector } from '#page/kit/time/use-now.tsx';
import { COMPARE_PARAMS } from '#model/tables/funding/compare-params.ts';
import { RateBasisControl, SignConventionControl } from '../rate-controls.tsx';
import { toFirstDay, WINDOW_NAMES } from '#model/tables/funding/windows.ts';

export function CompareControls() {
  const today = useNowSelector(toDay);
  const [range, setRange] = useUrlState(COMPARE_PARAMS.window);
  const [form, setForm] = useUrlState(COMPARE_PARAMS.form);
  const [side, setSide] = useUrlState(COMPARE_PARAMS.side);
  return (
    <>
      <RateBasisControl value={form} onChange={setForm} />
      <RangePicker
        names={WINDOW_NAMES}
        value={range}
        onChange={setRange}
        begin={toFirstDay(range, today)}
        today={today}
      />
      <SignConventionControl value={side} onChange={setSide} />
    </>
  );
}
