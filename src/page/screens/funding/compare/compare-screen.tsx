import { useMemo } from 'react';
import type { ApiResponse } from '#model/response.ts';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import { toDay } from '#model/time/calendar.ts';
import type { DueTimes } from '#model/time/due-times.ts';
import { findNewestFundingTime } from '#model/funding/funding-window.ts';
import { toWindowEnd } from '#model/funding/interval-times.ts';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { FreshnessMark } from '#page/panels/freshness-mark.tsx';
import { PanelBody } from '#page/panels/panel-body.tsx';
import { toFundingDue, useDueTimes } from '#page/panels/use-due-times.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { useNowSnapshot } from '#page/kit/time/use-now.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { CompareBody } from './compare-body.tsx';
import { CompareControls } from './compare-controls.tsx';
import { toPerpetualSeries } from '#model/tables/funding/perpetual-series.ts';
import { COMPARE_PARAMS } from '#model/tables/funding/compare-params.ts';
import { type CompareQueries, useCompareQueries } from './use-compare-queries.ts';
import { toBeginTime } from '#model/tables/funding/windows.ts';
import styles from '../funding.module.css';

/** What holding each perpetual costs, for all of them. */
export function CompareScreen() {
  const [range] = useUrlState(COMPARE_PARAMS.window);
  const today = useNowSnapshot(JSON.stringify(range), toDay);
  const [heat] = useUrlState(COMPARE_PARAMS.heat);
  const due = useDueTimes();
  const queries = useCompareQueries(toBeginTime(today, range, Number(heat)), due);
  const { funding, voi, estimates } = queries;
  const besides = [voi.data, ...estimates.values()];
  return (
    <div className={styles['screen']}>
      <Toolbar
        title="Funding"
        aside={
          funding.data && (
            <FreshnessMark
              query={{ ...funding, data: funding.data }}
              everySeconds={DESK_ENDPOINTS.funding.reuseSeconds}
              besides={besides}
            />
          )
        }
      >
        <CompareControls />
      </Toolbar>
      <div aria-busy={funding.data === undefined && funding.isFetching}>
        <PanelBody
          query={funding}
          emptyState={({ value }) =>
            value.perpetuals.every(({ prints }) => prints.length === 0) ? <NoSettledRates /> : null
          }
        >
          {(response) => <Comparison response={response} queries={queries} due={due} />}
        </PanelBody>
      </div>
    </div>
  );
}

function NoSettledRates() {
  return (
    <EmptyState title="No settled rates in this range">
      <p>The exchange has no settled rate of any perpetual in this range. Perpdesk checks again automatically.</p>
    </EmptyState>
  );
}

interface ComparisonProps {
  readonly response: ApiResponse<DeskFunding>;
  readonly queries: CompareQueries;
  readonly due: DueTimes | null;
}

function Comparison({ response, queries, due }: ComparisonProps) {
  const dueTo = toFundingDue(due);
  const perpetuals = useMemo(
    () => toPerpetualSeries({ value: response.value, target: response.target }, dueTo),
    [response.value, response.target, dueTo],
  );
  const endsAt = toWindowEnd(findNewestFundingTime(perpetuals.map(({ series }) => series)), dueTo);
  return <CompareBody {...{ response, queries, perpetuals, endsAt, due }} />;
}
