import { FUNDING_SIDES, SIDE_WORDS } from '#domain/funding/my-side.ts';
import { RATE_FORMS, RATE_FORM_LOOKS } from '#domain/funding/rate-form.ts';
import { toDay } from '#domain/calendar.ts';
import { RangePicker } from '#ui/chart/range-picker.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { useFromNow } from '#ui/time/use-now.tsx';
import { COMPARE_PARAMS } from './compare-params.ts';
import { toFirstDay, WINDOW_NAMES } from './windows.ts';
import styles from './funding.module.css';

const FORMS = RATE_FORMS.map((form) => [form, RATE_FORM_LOOKS[form].name] as const);
const SIDES = FUNDING_SIDES.map((side) => [side, side === 'market' ? 'Market' : `My side: ${side}`] as const);
const RANKS = [
  ['rate', 'Rate'],
  ['premium', 'Mark over index'],
  ['stability', 'Stability'],
] as const;

/** How the comparison is told. */
export function CompareControls() {
  const today = useFromNow(toDay);
  const [range, setRange] = useUrlState(COMPARE_PARAMS.window);
  const [form, setForm] = useUrlState(COMPARE_PARAMS.form);
  const [side, setSide] = useUrlState(COMPARE_PARAMS.side);
  const [rankBy, setRankBy] = useUrlState(COMPARE_PARAMS.rankBy);
  return (
    <>
      <Segmented label="Annualised as" choices={FORMS} value={form} onChange={setForm} />
      <RangePicker names={WINDOW_NAMES} value={range} onChange={setRange} begin={toFirstDay(range, today)} today={today} />
      <span className={styles['named']}>
        <span className={styles['quiet']}>Rank by</span>
        <Segmented label="Rank by" choices={RANKS} value={rankBy} onChange={setRankBy} />
      </span>
      <Segmented label="Whose side" choices={SIDES} value={side} onChange={setSide} />
      <strong className={styles['side']} data-side={side}>
        {SIDE_WORDS[side]}
      </strong>
    </>
  );
}
