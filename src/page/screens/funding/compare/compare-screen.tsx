import { toDay } from '#model/time/calendar.ts';
import { RangePicker } from '../../../kit/chart/range-picker.tsx';
import { useUrlState } from '../../../kit/navigation/navigation.tsx';
import { useNowSelector, useNowSnapshot } from '../../../kit/time/use-now.tsx';
import { COMPARE_PARAMS } from '#model/tables/funding/compare-params.ts';
import { RateBasisControl, SignConventionControl } from '../rate-controls.tsx';
import { toBeginTime, toFirstDay, WINDOW_NAMES } from '#model/tables/funding/windows.ts';
import { useMemo } from 'react';
import type { ApiResponse } from '#model/response.ts';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import type { DueTimes } from '#model/time/due-times.ts';
import { findNewestFundingTime } from '#model/funding/funding-window.ts';
import { toWindowEnd } from '#model/funding/interval-times.ts';
import { FreshnessMark } from '../../../panels/freshness-mark.tsx';
import { PanelBody } from '../../../panels/panel-body.tsx';
import { toFundingDue, useDueTimes } from '../../../panels/use-due-times.ts';
import { EmptyState } from '../../../kit/empty-state.tsx';
import { Toolbar } from '../../../kit/toolbar.tsx';
import { CompareBody } from './compare-body.tsx';
import { toPerpetualSeries } from '#model/tables/funding/perpetual-series.ts';
import { type CompareQueries, useCompareQueries } from './use-compare-queries.ts';
import styles from '../funding.module.css';

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
