import { toDay } from '#domain/time/calendar.ts';
import { RangePicker } from '#ui/chart/range-picker.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { useNowSelector } from '#ui/time/use-now.tsx';
import { COMPARE_PARAMS } from '../compare-params.ts';
import { RateBasisControl, SignConventionControl } from '../rate-controls.tsx';
import { toFirstDay, WINDOW_NAMES } from '../windows.ts';
import styles from '../funding.module.css';

const RANKS = [
  ['realised', 'Realised'],
  ['premium', 'Premium'],
  ['stability', 'Std dev'],
  ['rate', 'Last rate'],
] as const;

export function CompareControls() {
  const today = useNowSelector(toDay);
  const [range, setRange] = useUrlState(COMPARE_PARAMS.window);
  const [form, setForm] = useUrlState(COMPARE_PARAMS.form);
  const [side, setSide] = useUrlState(COMPARE_PARAMS.side);
  const [rankBy, setRankBy] = useUrlState(COMPARE_PARAMS.rankBy);
  return (
    <>
      <RateBasisControl value={form} onChange={setForm} />
      <RangePicker names={WINDOW_NAMES} value={range} onChange={setRange} begin={toFirstDay(range, today)} today={today} />
      <span className={styles['named']}>
        <span className={styles['quiet']}>Rank by</span>
        <Segmented label="Rank by" choices={RANKS} value={rankBy} onChange={setRankBy} />
      </span>
      <SignConventionControl value={side} onChange={setSide} />
    </>
  );
}
