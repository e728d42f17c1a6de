import { useMemo } from 'react';
import type { Answer } from '#api/answer.ts';
import { DESK_PACES } from '#api/create-queries.ts';
import type { DeskFunding } from '#contract/desk-funding.ts';
import { toDay } from '#domain/calendar.ts';
import { findNewestBoundary } from '#domain/funding/funding-window.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { FreshnessMark } from '#ui/panel/freshness-mark.tsx';
import { Nothing, PanelBody } from '#ui/panel/panel-body.tsx';
import { useFromChoice } from '#ui/time/use-now.tsx';
import { Toolbar } from '#ui/toolbar.tsx';
import { CompareBody } from './compare-body.tsx';
import { CompareControls } from './compare-controls.tsx';
import { toPerpetuals } from './compare-row.ts';
import { COMPARE_PARAMS } from './compare-params.ts';
import { useCompareAnswers, type CompareAnswers } from './use-compare-answers.ts';
import { toBeginTime } from './windows.ts';
import styles from './funding.module.css';

/** What holding perpetuals costs: all of them beside each other. */
export function FundingScreen() {
  const [range] = useUrlState(COMPARE_PARAMS.window);
  const today = useFromChoice(JSON.stringify(range), toDay);
  const [heat] = useUrlState(COMPARE_PARAMS.heat);
  const answers = useCompareAnswers(toBeginTime(today, range, Number(heat)));
  const { funding, voi, estimates } = answers;
  const besides = [voi.data, ...estimates.values()];
  return (
    <div className={styles['screen']}>
      <Toolbar title="Funding" aside={funding.data && <FreshnessMark query={{ ...funding, data: funding.data }} everySeconds={DESK_PACES.funding.reuseSeconds} besides={besides} />}>
        <CompareControls />
      </Toolbar>
      <div aria-busy={funding.data === undefined && funding.isFetching}>
        <PanelBody query={funding} emptiness={({ value }) => (value.perpetuals.every(({ prints }) => prints.length === 0) ? <NoPrints /> : null)}>
          {(answer) => <Compared answer={answer} answers={answers} />}
        </PanelBody>
      </div>
    </div>
  );
}

function NoPrints() {
  return (
    <Nothing title="No funding was settled in this time">
      <p>The venue has no settled interval of any perpetual in it. The page asks again by itself.</p>
    </Nothing>
  );
}

/** Prints are examined once an answer, not once a drawing. */
function Compared({ answer, answers }: { readonly answer: Answer<DeskFunding>; readonly answers: CompareAnswers }) {
  const perpetuals = useMemo(() => toPerpetuals({ value: answer.value, target: answer.target }), [answer.value, answer.target]);
  const settledTo = findNewestBoundary(perpetuals.map(({ series }) => series));
  return <CompareBody {...{ answer, answers, perpetuals, settledTo }} />;
}
