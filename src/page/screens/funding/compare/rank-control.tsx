import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { COMPARE_PARAMS, type RankBy } from '#model/tables/funding/compare-params.ts';
import styles from '../funding.module.css';

const RANKS = [
  ['realised', 'Mean rate'],
  ['premium', 'Premium'],
  ['stability', 'Std dev'],
  ['rate', 'Last rate'],
  ['excess', '|Rate − interest|'],
  ['percentile', 'Percentile'],
  ['predicted', 'Predicted rate'],
] as const satisfies readonly (readonly [RankBy, string])[];

export function RankControl() {
  const [rankBy, setRankBy] = useUrlState(COMPARE_PARAMS.rankBy);
  return (
    <span className={styles['named']}>
      <span className={styles['quiet']}>Rank by</span>
      <Segmented label="Rank by" choices={RANKS} value={rankBy} onChange={setRankBy} />
    </span>
  );
}
