import { useAction, useRulesApi } from '#page/client/react/use-rules-api.ts';
import type { DeskRuleChanges, Rule } from '#contract/desk/rules.ts';
import { RULE_SUGGESTIONS } from '#contract/desk/rule-suggestions.ts';
import { describeRule } from '#model/rules/rule-sentence.ts';
import { Link, useUrlState } from '#page/kit/navigation.tsx';
import { type Column, Table } from '#page/kit/table.tsx';
import { ActionError } from '#page/panels/action-error.tsx';
import { SeverityMark } from './alerts/alert-facts.tsx';
import styles from './rules.module.css';
import { useQuery } from '@tanstack/react-query';
import { type DeskAlerts, RULE_ENDPOINTS } from '#contract/desk/alerts.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { ClockNote } from '#page/panels/clock-note.tsx';
import { FreshnessMark } from '#page/panels/freshness-mark.tsx';
import { Panel } from '#page/panels/panel.tsx';
import { PanelBody } from '#page/panels/panel-body.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { ChangeText } from './change-text.tsx';
import { useApi } from '#page/client/react/use-api.tsx';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { ChannelTable, Deliveries } from './channels.tsx';
import { choiceParam } from '#model/format/url-param.ts';
import { ALERT_TABS, type AlertTab, countTabs, toTab } from '#model/rules/alert-tabs.ts';
import { Segmented } from '#page/kit/segmented.tsx';
import { Toolbar } from '#page/kit/toolbar.tsx';
import { useNamedAlert } from './alerts/use-named-alert.ts';
import { AlertList } from './alerts/alert-list.tsx';
import { EvaluationNotice, FailingChannels } from './alerts/alert-notices.tsx';
import { ShiftNote } from './alerts/shift-note.tsx';
import { toHandoverAddress } from './handover/handover-address.ts';
import { AlertHistory } from './alert-history.tsx';
import { RuleList } from './rule-list.tsx';

/** Rules that most teams want in one form or another. Each is off until it is turned on. */
export function Suggestions({ rules }: { readonly rules: readonly Rule[] }) {
  const { mutate, error, isPending } = useAction('putRule');
  const known = new Set(rules.map(({ id }) => id));
  const left = RULE_SUGGESTIONS.filter(({ id }) => !known.has(id));
  if (left.length === 0) return null;
  const columns: readonly Column<Rule>[] = [
    {
      name: 'Suggestion',
      cell: (rule) => (
        <div className={styles['rule']}>
          <b>{rule.name}</b>
          <span>{describeRule(rule)}</span>
        </div>
      ),
    },
    { name: 'Severity', cell: ({ severity }) => <SeverityMark severity={severity} /> },
    {
      name: 'Actions',
      pinned: 'end',
      cell: (rule) => (
        <span className={styles['actions']}>
          <button
            type="button"
            disabled={isPending}
            aria-label={`Turn on ${rule.name}`}
            onClick={() => {
              mutate({ body: { rule: { ...rule, enabled: true } } });
            }}
          >
            Turn on
          </button>
          <Link aria-label={`Adapt ${rule.name}`} to={`/rules/new?from=${rule.id}`}>
            Adapt…
          </Link>
        </span>
      ),
    },
  ];
  return (
    <section className={styles['section']} aria-labelledby="suggestions">
      <header className={styles['header']}>
        <h2 id="suggestions">Suggestions</h2>
      </header>
      <ActionError error={error} />
      <Table caption="Suggestions" columns={columns} rows={left} keyOf={({ id }) => id} />
    </section>
  );
}

type Change = DeskRuleChanges['changes'][number];

const COLUMNS: readonly Column<Change>[] = [
  { name: 'Time', cell: ({ at }) => <Timestamp at={at} /> },
  { name: 'By', cell: ({ by }) => <span className={styles['name']}>{by}</span> },
  {
    name: 'Rule',
    cell: ({ before, after, rule_id: id }) => <span className={styles['name']}>{(after ?? before)?.name ?? id}</span>,
  },
  { name: 'Change', cell: (change) => <ChangeText change={change} /> },
];

/** Lists who changed which rule, and when. */
export function RuleChanges() {
  const { queries } = useRulesApi();
  const query = useQuery(queries.ruleChanges());
  return (
    <Panel
      title="Rule changes"
      query={query}
      everySeconds={RULE_ENDPOINTS.ruleChanges.reuseSeconds}
      emptyState={({ value: { changes } }) =>
        changes.length > 0 ? null : (
          <EmptyState title="No changes so far">
            <p>Rules that are created, changed or deleted are listed here, with who did it.</p>
          </EmptyState>
        )
      }
    >
      {({ value: { changes } }) => (
        <Table
          caption="Rule changes, newest first"
          columns={COLUMNS}
          rows={changes}
          keyOf={({ at, rule_id: id }) => `${at} ${id}`}
        />
      )}
    </Panel>
  );
}

/** Shows the channels that alerts notify, and the deliveries to them. */
export function Calls() {
  const { queries } = useApi();
  const query = useQuery(queries.desk.calls({}));
  return (
    <>
      <Panel
        title="Channels"
        query={query}
        everySeconds={DESK_ENDPOINTS.calls.reuseSeconds}
        emptyState={({ value }) => (value.channels.length === 0 ? <NoChannels /> : null)}
      >
        {({ value }) => <ChannelTable calls={value} />}
      </Panel>
      <Deliveries channels={query.data?.value.channels ?? []} />
    </>
  );
}

function NoChannels() {
  return (
    <EmptyState title="No channel is configured">
      <p>
        Alerts appear only in Perpdesk. To send notifications, set webhooks in DESK_WEBHOOKS or mail addresses in
        DESK_MAIL_TO.
      </p>
    </EmptyState>
  );
}

const NAMES = {
  active: 'Active',
  acknowledged: 'Acknowledged',
  silenced: 'Silenced',
  resolved: 'Resolved',
  history: 'History',
  rules: 'Rules',
  changes: 'Changes',
  calls: 'Notifications',
} as const;
const SHOWN = ['active', 'acknowledged', 'silenced', 'resolved', 'history', 'rules', 'changes', 'calls'] as const;

/** Each tab with its number, once that is known. */
function toChoices(response: DeskAlerts | undefined): readonly (readonly [(typeof SHOWN)[number], string])[] {
  const counts: Partial<Record<(typeof SHOWN)[number], number>> =
    response === undefined ? {} : { ...countTabs(response.alerts), rules: response.rules };
  return SHOWN.map((one) => [one, [NAMES[one], counts[one]].join(' ').trim()]);
}

const shownParam = choiceParam('show', [...ALERT_TABS, 'rules', 'history', 'changes', 'calls'], 'active');

/** Returns the tab that is shown. An address that names an alert need not say where it is listed, which changes. */
function useShown(alerts: DeskAlerts['alerts']) {
  const [chosen, setShown] = useUrlState(shownParam);
  const [named, forget] = useNamedAlert(alerts);
  const show = (next: typeof chosen): void => {
    // The alert in the address concerns only the view that is left here.
    forget();
    setShown(next);
  };
  return [named === null ? chosen : toTab(named), show] as const;
}

const NO_ALERTS: DeskAlerts['alerts'] = [];

export function RulesScreen() {
  const { queries } = useRulesApi();
  const query = useQuery(queries.alerts());
  const [shown, show] = useShown(query.data?.value.alerts ?? NO_ALERTS);
  const choices = toChoices(query.data?.value);
  const tab = ALERT_TABS.find((one) => one === shown);
  return (
    <div className={tab === undefined ? undefined : styles['fills']}>
      <Toolbar
        title="Rules"
        aside={
          <span className={styles['links']}>
            {tab !== undefined && query.data !== undefined && (
              <FreshnessMark query={{ ...query, data: query.data }} {...EVERY} />
            )}
            <Link className={styles['new']} to={toHandoverAddress()}>
              Handover
            </Link>
            <Link className={styles['new']} to="/rules/new">
              New rule
            </Link>
          </span>
        }
      >
        <Segmented label="Show" choices={choices} value={shown} onChange={show} />
      </Toolbar>
      <ClockNote />
      {tab !== undefined && <Alerts tab={tab} />}
      {shown === 'rules' && <Rules />}
      {shown === 'history' && <AlertHistory />}
      {shown === 'changes' && <RuleChanges />}
      {shown === 'calls' && <Calls />}
    </div>
  );
}

function Alerts({ tab }: { readonly tab: AlertTab }) {
  const { queries } = useRulesApi();
  const query = useQuery(queries.alerts());
  return (
    <div className={styles['body']}>
      <PanelBody query={query}>
        {({ value }) => (
          <>
            <ShiftNote response={value} />
            <FailingChannels response={value} />
            <EvaluationNotice response={value} />
            <AlertList key={tab} response={value} tab={tab} />
          </>
        )}
      </PanelBody>
    </div>
  );
}

const EVERY = { everySeconds: RULE_ENDPOINTS.alerts.reuseSeconds };

function Rules() {
  const { queries } = useRulesApi();
  const query = useQuery(queries.rules());
  const alerts = useQuery(queries.alerts());
  return (
    <>
      <Panel title="Rules" query={query} besides={[alerts.data]} {...EVERY}>
        {({ value: { rules } }) => <RuleList rules={rules} alerts={alerts.data?.value} />}
      </Panel>
      {query.data !== undefined && <Suggestions rules={query.data.value.rules} />}
    </>
  );
}
