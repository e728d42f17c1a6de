import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import type { DeskStatus } from '#contract/desk/status.ts';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { type Column, Table } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import styles from './status-screen.module.css';
import type { ApiResponse } from '#model/response.ts';
import { formatCount } from '#model/format/count.ts';
import { Figure } from '#page/kit/figure.tsx';
import { toProvenance } from '#model/tables/status/endpoint-rows.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import { useSettledSessions } from '#page/client/react/use-settled-sessions.ts';
import { summariseChecks } from '#model/checks/cross-checks.ts';
import { nameProduct } from '#model/products/product-directory.ts';
import { createPriceChecks } from '#model/markets/market-prices.ts';
import { isActive } from '#model/products/is-active.ts';
import type { PanelQuery, Stamp } from '#page/panels/panel-body.tsx';
import type { DeskPolicy } from '#contract/desk/policy.ts';
import { useUrlState } from '#page/kit/navigation.tsx';
import { choiceParam } from '#model/format/url-param.ts';
import { Panel } from '#page/panels/panel.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { formatDuration } from '#model/format/format-time.ts';
import { Time } from '#page/kit/time/time.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { CrossCheckTable } from './cross-check-table.tsx';
import { CacheFacts, ForAdministrators, VenueFacts } from './upstream-facts.tsx';
import { BudgetFacts } from './budget-facts.tsx';
import { EndpointTable, SelfTestTable } from './endpoint-table.tsx';
import { FundingCostTable } from './funding-cost-table.tsx';
import { DeskTable } from './desk-table.tsx';
import { JournalFacts } from './journal-facts.tsx';
import { LiveTopics } from './live-topics.tsx';

type Rejection = DeskStatus['venue']['last_refusal'];

interface Reason {
  readonly type: string;
  readonly reason: string;
  readonly evidence: string;
  readonly remedy: string;
}

/** The exchange uses 403 for several reasons, which Perpdesk distinguishes. */
const REASONS: readonly Reason[] = [
  {
    type: 'budget-spent',
    reason: 'Request budget exhausted',
    evidence: 'more requests than the exchange allows, from Perpdesk or from another program at this IP address',
    remedy: 'wait; the budget refills automatically',
  },
  {
    type: 'clock-skew',
    reason: 'Clock offset too large',
    evidence: 'this machine’s clock is too far from the exchange’s',
    remedy: 'synchronise this machine’s clock',
  },
  {
    type: 'key-refused',
    reason: 'Key rejected',
    evidence: 'clock and budget are OK',
    remedy: 'check connection ID, token and environment',
  },
  { type: 'venue-fault', reason: 'Unknown', evidence: 'none of the above', remedy: 'see Perpdesk’s log' },
];

export function RejectionTable({ lastRejection }: { readonly lastRejection: Rejection }) {
  const columns: readonly Column<Reason>[] = [
    { name: 'Reason for 401 or 403', pinned: 'start', cell: ({ reason }) => reason },
    { name: 'Evidence', cell: ({ evidence }) => <span className={styles['wrap']}>{evidence}</span> },
    { name: 'Fix', cell: ({ remedy }) => <span className={styles['wrap']}>{remedy}</span> },
    {
      name: 'Latest rejection',
      cell: ({ type }) => <LastSeen rejection={lastRejection?.type === type ? lastRejection : null} />,
    },
  ];
  return <Table caption="Rejection reasons" columns={columns} rows={REASONS} keyOf={({ type }) => type} />;
}

function LastSeen({ rejection }: { readonly rejection: Rejection }) {
  if (rejection === null) return <>–</>;
  return (
    <StatusBadge state="attention">
      <Timestamp at={rejection.at} />
    </StatusBadge>
  );
}

type Cause = keyof NonNullable<DeskStatus['answers']>['causes'];

const CAUSES: readonly (readonly [cause: Cause, name: string])[] = [
  ['venue', 'Exchange failed or rejected'],
  ['budget', 'No request left'],
];

/**
 * Counts requests without a new response by cause: a failing exchange and an exhausted budget need different remedies.
 */
export function FailureTable({ response }: { readonly response: ApiResponse<DeskStatus> }) {
  const causes = response.value.answers?.causes;
  if (causes === undefined) return <ForAdministrators />;
  const count = (title: string, field: 'stale' | 'failed'): Column<Cause> => ({
    name: title,
    numeric: true,
    cell: (cause) => (
      <Figure
        name={title}
        text={formatCount(causes[cause][field])}
        provenance={() => toProvenance(response, `answers.causes.${cause}.${field}`, causes[cause][field])}
      />
    ),
  });
  const names = new Map(CAUSES);
  const columns: readonly Column<Cause>[] = [
    { name: 'Cause', pinned: 'start', cell: (cause) => names.get(cause) },
    count('Served stale', 'stale'),
    count('Failed', 'failed'),
    { name: 'First', cell: (cause) => <Timestamp at={causes[cause].first_at} /> },
    { name: 'Last', cell: (cause) => <Timestamp at={causes[cause].last_at} /> },
  ];
  return (
    <div className={styles['counts']}>
      <Table caption="Failures" columns={columns} rows={[...names.keys()]} keyOf={(cause) => cause} />
    </div>
  );
}

/** Slower than on Markets, because a check need not be current to the second. */
export const CHECK_SECONDS = 60;

const slow = { everySeconds: CHECK_SECONDS };
const daily = { everySeconds: 900 };

/** Runs the cross-checks on all active products, using the same responses as Markets. */
export function useCheckSummaries() {
  const { queries } = useApi();
  const products = useQuery(queries.desk.products({}));
  const trailing = useQuery(queries.venue.trailingStatsAll({}, slow));
  const voi = useQuery(queries.venue.chartVoi({}, daily));
  const funding = useQuery(queries.venue.fundingRates({ limit: 100 }, daily));
  const data = useQuery(queries.venue.productDataAll({}, slow));
  const sessions = useSettledSessions(voi, data);
  const summaries = useMemo(() => {
    const checksOf = createPriceChecks({
      voi: voi.data,
      funding: funding.data,
      data: data.data,
      sessions,
      trailing: trailing.data,
    });
    const active = products.data?.value.products.filter(isActive) ?? [];
    return summariseChecks(
      active.map((product) => ({ symbol: nameProduct(product), comparisons: checksOf(product).checks.comparisons })),
    );
  }, [products.data, trailing.data, voi.data, funding.data, data.data, sessions]);
  // The list of products is read only once an hour, so the panel shows the age of the compared figures.
  const compared: PanelQuery<Stamp> = [data, trailing].find((query) => query.data !== undefined) ?? products;
  return { query: products.data === undefined ? products : compared, summaries };
}

type Row = DeskPolicy['endpoints'][number];
type Parameter = Row['query'][number];

const COLUMNS: readonly Column<Row>[] = [
  { name: 'Path', cell: ({ upstream }) => <span className={styles['code']}>{upstream}</span> },
  { name: 'Description', cell: ({ summary }) => <span className={styles['wrap']}>{summary}</span> },
  { name: 'Access', cell: ({ access }) => access },
  { name: 'Stability', cell: ({ stability, optional }) => (optional ? `${stability}, optional` : stability) },
  { name: 'Parameters', cell: (row) => <Parameters parameters={[...row.path_parameters, ...row.query]} /> },
];

export function PolicyTable({ policy }: { readonly policy: DeskPolicy }) {
  return (
    <>
      <p className={styles['below']}>
        Methods: {policy.methods.join(', ')}. Perpdesk rejects any request that is not in this table.
      </p>
      <Table caption="Allowed requests" columns={COLUMNS} rows={policy.endpoints} keyOf={({ name }) => name} />
    </>
  );
}

function Parameters({ parameters }: { readonly parameters: readonly Parameter[] }) {
  if (parameters.length === 0) return <>none</>;
  return (
    <details>
      <summary>{parameters.map(({ name }) => name).join(', ')}</summary>
      <ul className={styles['parameters']}>
        {parameters.map(({ name, must_be, repeatable }) => (
          <li key={name}>
            <b>{name}</b> must be {must_be}
            {repeatable ? ' (repeatable)' : ''}
          </li>
        ))}
      </ul>
    </details>
  );
}

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
        {status.data?.value.desks && (
          <Panel title="Desks" {...live}>
            {({ value }) => <DeskTable desks={value.desks ?? []} />}
          </Panel>
        )}
        <Panel title="Live topics" {...live}>
          {({ value }) => <LiveTopics live={value.live} />}
        </Panel>
        <Panel title="Failures" {...live}>
          {(response) => <FailureTable response={response} />}
        </Panel>
        <Panel title="Endpoints" {...live}>
          {({ value }) =>
            value.answers === null ? (
              <ForAdministrators />
            ) : (
              <EndpointTable status={value} policy={policy.data?.value} onlyIssues={onlyIssues} clear={clear} />
            )
          }
        </Panel>
        <Panel title="Cross-checks" query={checks.query} everySeconds={CHECK_SECONDS}>
          {() => <CrossCheckTable summaries={checks.summaries} onlyIssues={onlyIssues} clear={clear} />}
        </Panel>
        <Panel title="Settled funding rates" {...live}>
          {({ value: { answers, funding, store } }) =>
            answers === null ? (
              <ForAdministrators />
            ) : (
              <FundingCostTable costs={funding} lastFailure={store.last_failure} />
            )
          }
        </Panel>
        <Panel title="Startup self-test" {...live}>
          {({ value }) => <SelfTestTable selfTest={value.self_test} onlyIssues={onlyIssues} clear={clear} />}
        </Panel>
        <Panel title="Rejection reasons" {...live}>
          {({ value }) => <RejectionTable lastRejection={value.venue.last_refusal} />}
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
