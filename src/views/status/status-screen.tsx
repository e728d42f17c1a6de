import { useQuery } from '@tanstack/react-query';
import { useDoor } from '#api/react.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { choiceParam } from '#ui/navigation/url-param.ts';
import { Panel } from '#ui/panel/panel.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { formatDuration } from '#ui/time/format-time.ts';
import { Time } from '#ui/time/time.tsx';
import { Toolbar } from '#ui/toolbar.tsx';
import { AnswerFacts } from './answer-facts.tsx';
import { BudgetFacts } from './budget-facts.tsx';
import { EndpointTable } from './endpoint-table.tsx';
import { FundingCostTable } from './funding-cost-table.tsx';
import { PolicyTable } from './policy-table.tsx';
import { RefusalTable } from './refusal-table.tsx';
import { SelfTestTable } from './self-test-table.tsx';
import { VenueFacts } from './venue-facts.tsx';
import styles from './status-screen.module.css';

const SHOWN = [['all', 'All'], ['odd', 'Only what is odd']] as const;
const shownParam = choiceParam('show', ['all', 'odd'], 'all');

/** How often the desk tells its status and its policy; both cost the venue nothing. */
const STATUS_SECONDS = 5;
const POLICY_SECONDS = 3_600;

/** Whether the desk can be trusted now: what it asked, what it was told, what is left to ask with. */
export function StatusScreen() {
  const { queries } = useDoor();
  const status = useQuery(queries.desk.status({}));
  const policy = useQuery(queries.desk.policy({}));
  const [shown, setShown] = useUrlState(shownParam);
  const clear = (): void => {
    setShown('all');
  };
  const onlyOdd = shown === 'odd';
  const live = { query: status, everySeconds: STATUS_SECONDS };
  return (
    <>
      <Toolbar title="Status" aside={status.data && <Running status={status.data.value} />}>
        <Segmented label="Rows" choices={SHOWN} value={shown} onChange={setShown} />
      </Toolbar>
      <div className={styles['columns']}>
        <Panel title="Venue" {...live}>
          {(answer) => <VenueFacts answer={answer} />}
        </Panel>
        <Panel title="Request budget" {...live}>
          {(answer) => <BudgetFacts answer={answer} />}
        </Panel>
        <Panel title="Where answers came from" {...live}>
          {(answer) => <AnswerFacts answer={answer} />}
        </Panel>
      </div>
      <div className={styles['tables']}>
      <Panel title="Endpoints" {...live}>
        {(answer) => <EndpointTable status={answer.value} policy={policy.data?.value} onlyOdd={onlyOdd} clear={clear} />}
      </Panel>
      <Panel title="Settled funding, and what it cost" {...live}>
        {({ value }) => <FundingCostTable costs={value.funding} />}
      </Panel>
      <Panel title="Self-test at the start" {...live}>
        {({ value }) => <SelfTestTable selfTest={value.self_test} onlyOdd={onlyOdd} clear={clear} />}
      </Panel>
      <Panel title="What a refusal meant" {...live}>
        {({ value }) => <RefusalTable lastRefusal={value.venue.last_refusal} />}
      </Panel>
      <Panel title="What may be sent to the venue" query={policy} everySeconds={POLICY_SECONDS}>
        {({ value }) => <PolicyTable policy={value} />}
      </Panel>
      </div>
    </>
  );
}

interface RunningProps {
  readonly status: { readonly now: string; readonly started_at: string };
}

function Running({ status }: RunningProps) {
  return (
    <Time at={status.started_at} of="started at">
      running for {formatDuration((Date.parse(status.now) - Date.parse(status.started_at)) / 1_000)}
    </Time>
  );
}
