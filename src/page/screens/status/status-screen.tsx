import { useQuery } from '@tanstack/react-query';
import { useApi } from '#page/client/react/use-api.tsx';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { choiceParam } from '#model/format/url-param.ts';
import { Panel } from '#page/panels/panel.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { formatDuration } from '#model/format/format-time.ts';
import { Time } from '#page/kit/time/time.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { CHECK_SECONDS, useCheckSummaries } from './use-check-summaries.ts';
import { CrossCheckTable } from './cross-check-table.tsx';
import { CacheFacts } from './cache-facts.tsx';
import { BudgetFacts } from './budget-facts.tsx';
import { EndpointTable } from './endpoint-table.tsx';
import { FailureTable } from './failure-table.tsx';
import { FundingCostTable } from './funding-cost-table.tsx';
import { JournalFacts } from './journal-facts.tsx';
import { LiveTopics } from './live-topics.tsx';
import { PolicyTable } from './policy-table.tsx';
import { RefusalTable } from './refusal-table.tsx';
import { SelfTestTable } from './self-test-table.tsx';
import { VenueFacts } from './venue-facts.tsx';
import styles from './status-screen.module.css';

const SHOWN = [
  ['all', 'All'],
  ['odd', 'Issues only'],
] as const;
const shownParam = choiceParam('show', ['all', 'odd'], 'all');

export function StatusScreen() {
  const { queries } = useApi();
  const status = useQuery(queries.desk.status({}));
  const policy = useQuery(queries.desk.policy({}));
  const checks = useCheckSummaries();
  const [shown, setShown] = useUrlState(shownParam);
  const clear = (): void => {
    setShown('all');
  };
  const onlyIssues = shown === 'odd';
  const live = { query: status, everySeconds: DESK_ENDPOINTS.status.reuseSeconds };
  return (
    <>
      <Toolbar title="Status" aside={status.data && <Uptime status={status.data.value} />}>
        <Segmented label="Show" choices={SHOWN} value={shown} onChange={setShown} />
      </Toolbar>
      <div className={styles['columns']}>
        <div>
          <Panel title="Exchange" {...live}>
            {(response) => <VenueFacts response={response} />}
          </Panel>
          <Panel title="Journal" {...live}>
            {(response) => <JournalFacts response={response} />}
          </Panel>
        </div>
        <Panel title="Request budget" {...live}>
          {(response) => <BudgetFacts response={response} />}
        </Panel>
        <Panel title="Cache" {...live}>
          {(response) => <CacheFacts response={response} />}
        </Panel>
      </div>
      <div className={styles['tables']}>
        <Panel title="Live topics" {...live}>
          {({ value }) => <LiveTopics live={value.live} />}
        </Panel>
        <Panel title="Failures" {...live}>
          {(response) => <FailureTable response={response} />}
        </Panel>
        <Panel title="Endpoints" {...live}>
          {({ value }) => (
            <EndpointTable status={value} policy={policy.data?.value} onlyIssues={onlyIssues} clear={clear} />
          )}
        </Panel>
        <Panel title="Cross-checks" query={checks.query} everySeconds={CHECK_SECONDS}>
          {() => <CrossCheckTable summaries={checks.summaries} onlyIssues={onlyIssues} clear={clear} />}
        </Panel>
        <Panel title="Settled funding rates" {...live}>
          {({ value }) => <FundingCostTable costs={value.funding} lastFailure={value.store.last_failure} />}
        </Panel>
        <Panel title="Startup self-test" {...live}>
          {({ value }) => <SelfTestTable selfTest={value.self_test} onlyIssues={onlyIssues} clear={clear} />}
        </Panel>
        <Panel title="Rejection reasons" {...live}>
          {({ value }) => <RefusalTable lastRefusal={value.venue.last_refusal} />}
        </Panel>
        <Panel title="Allowed requests" query={policy} everySeconds={DESK_ENDPOINTS.policy.reuseSeconds}>
          {({ value }) => <PolicyTable policy={value} />}
        </Panel>
      </div>
    </>
  );
}

interface UptimeProps {
  readonly status: { readonly now: string; readonly started_at: string };
}

function Uptime({ status }: UptimeProps) {
  return (
    <Time at={status.started_at} of="started at">
      Uptime {formatDuration((Date.parse(status.now) - Date.parse(status.started_at)) / 1_000)}
    </Time>
  );
}
