import { useAction, useRulesApi } from '../../client/react/use-rules-api.ts';
import type { DeskRuleChanges, Rule } from '#contract/desk/rules.ts';
import { RULE_SUGGESTIONS } from '#contract/desk/rule-suggestions.ts';
import { describeRule } from '#model/rules/rule-sentence.ts';
import { Link } from '../../kit/navigation/link.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { ActionError } from '../../panels/action-error.tsx';
import { SeverityMark } from './alerts/severity-mark.tsx';
import styles from './shared/rules.module.css';
import { useQuery } from '@tanstack/react-query';
import { RULE_ENDPOINTS } from '#contract/desk/alerts.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Panel } from '../../panels/panel.tsx';
import { Timestamp } from '../../kit/time/timestamp.tsx';
import { ChangeText } from './history/change-text.tsx';
import { useApi } from '../../client/react/use-api.tsx';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { ChannelTable } from './calls/channel-table.tsx';
import { Deliveries } from './calls/deliveries.tsx';
import { useUrlState } from '../../kit/navigation/navigation.tsx';
import { choiceParam } from '#model/format/url-param.ts';
import { Segmented } from '../../kit/segmented.tsx';
import { Toolbar } from '../../kit/toolbar.tsx';
import { alertParam } from './alerts/alert-address.ts';
import { AlertList } from './alerts/alert-list.tsx';
import { AlertHistory } from './history/alert-history.tsx';
import { RuleList } from './list/rule-list.tsx';

/** Rules that most desks want in one form or another. None is on by itself. */
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

/** Who changed which rule when. */
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

/** Whom alerts call, and what was delivered. */
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
        Alerts appear only in Perpdesk. To send calls, set webhooks in DESK_WEBHOOKS or mail addresses in DESK_MAIL_TO.
      </p>
    </EmptyState>
  );
}

const SHOWN = [
  ['alerts', 'Alerts'],
  ['rules', 'Rules'],
  ['history', 'History'],
  ['changes', 'Changes'],
  ['calls', 'Calls'],
] as const;
const shownParam = choiceParam('show', ['alerts', 'rules', 'history', 'changes', 'calls'], 'alerts');

export function RulesScreen() {
  const [shown, setShown] = useUrlState(shownParam);
  const [, setAlert] = useUrlState(alertParam);
  const show = (next: typeof shown): void => {
    // The alert that led here is of that view only.
    setAlert('');
    setShown(next);
  };
  return (
    <>
      <Toolbar title="Rules">
        <Segmented label="Show" choices={SHOWN} value={shown} onChange={show} />
        <Link className={styles['new']} to="/rules/new">
          New rule
        </Link>
      </Toolbar>
      {shown === 'alerts' && <Alerts />}
      {shown === 'rules' && <Rules />}
      {shown === 'history' && <AlertHistory />}
      {shown === 'changes' && <RuleChanges />}
      {shown === 'calls' && <Calls />}
    </>
  );
}

const EVERY = { everySeconds: RULE_ENDPOINTS.alerts.reuseSeconds };

function Alerts() {
  const { queries } = useRulesApi();
  const query = useQuery(queries.alerts());
  return (
    <Panel title="Alerts" query={query} {...EVERY}>
      {({ value }) => <AlertList response={value} />}
    </Panel>
  );
}

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
