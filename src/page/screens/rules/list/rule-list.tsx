import type { DeskAlerts } from '#contract/desk/alerts.ts';
import type { Rule } from '#contract/desk/rules.ts';
import { summariseRule } from '#model/rules/alert-summary.ts';
import { describeRule } from '#model/rules/rule-sentence.ts';
import { useAction } from '#page/client/react/use-rules-api.ts';
import { ConfirmButton } from '#page/kit/confirm-button.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { NoMatches } from '#page/panels/no-matches.tsx';
import { Link } from '#page/kit/navigation/link.tsx';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { textParam } from '#model/format/url-param.ts';
import { SearchField } from '#page/kit/controls/search-field.tsx';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { ActionError } from '#page/panels/action-error.tsx';
import { SeverityMark } from '../alerts/severity-mark.tsx';
import { RuleFiles } from './rule-files.tsx';
import { toRuleAddress } from './rule-address.ts';
import styles from '../shared/rules.module.css';

interface RuleListProps {
  readonly rules: readonly Rule[];
  /** Undefined until they are read. */
  readonly alerts: DeskAlerts | undefined;
}

const sought = textParam('q');

export function RuleList({ rules, alerts }: RuleListProps) {
  const [text, setText] = useUrlState(sought);
  const found = rules.filter((rule) =>
    `${rule.name} ${describeRule(rule)}`.toLowerCase().includes(text.trim().toLowerCase()),
  );
  return (
    <>
      <div className={styles['tools']}>
        <SearchField
          label="Filter by any text in a rule"
          placeholder="Filter"
          group="Rules"
          value={text}
          onChange={setText}
          leave={() => undefined}
        />
        <RuleFiles rules={rules} />
      </div>
      {rules.length === 0 && (
        <EmptyState title="No rules">
          <p>
            <Link to="/rules/new">Create a rule</Link>, turn on a suggestion below, or import rules from a file.
          </p>
        </EmptyState>
      )}
      {rules.length > 0 && found.length === 0 && (
        <NoMatches
          total={rules.length}
          clear={() => {
            setText('');
          }}
        />
      )}
      {found.length > 0 && <RuleTable rules={found} alerts={alerts} />}
    </>
  );
}

function RuleTable({ rules, alerts }: RuleListProps) {
  const save = useAction('putRule');
  const remove = useAction('deleteRule');
  const isBusy = save.isPending || remove.isPending;
  const columns: readonly Column<Rule>[] = [
    {
      name: 'Rule',
      cell: (rule) => (
        <div className={styles['rule']}>
          <Link to={toRuleAddress(rule.id)}>{rule.name}</Link>
          <span>{describeRule(rule)}</span>
        </div>
      ),
    },
    { name: 'Now', cell: (rule) => <RuleState rule={rule} alerts={alerts} /> },
    { name: 'Severity', cell: ({ severity, enabled }) => <SeverityMark severity={severity} isQuiet={!enabled} /> },
    { name: 'Last fired', cell: ({ id }) => <Timestamp at={findLastFired(id, alerts)} /> },
    { name: 'Calls', cell: ({ channels }) => (channels.length === 0 ? 'none' : channels.join(', ')) },
    {
      name: 'Actions',
      pinned: 'end',
      cell: (rule) => (
        <span className={styles['actions']}>
          <button
            type="button"
            disabled={isBusy}
            aria-label={`Turn ${rule.enabled ? 'off' : 'on'} ${rule.name}`}
            onClick={() => {
              save.mutate({ body: { rule: { ...rule, enabled: !rule.enabled }, before: rule } });
            }}
          >
            Turn {rule.enabled ? 'off' : 'on'}
          </button>
          <ConfirmButton
            label="Delete"
            question="Delete?"
            of={rule.name}
            isBusy={isBusy}
            run={() => {
              remove.mutate({ query: { id: rule.id } });
            }}
          />
        </span>
      ),
    },
  ];
  return (
    <>
      <ActionError error={save.error ?? remove.error} />
      <Table caption="Rules" columns={columns} rows={rules} keyOf={({ id }) => id} />
    </>
  );
}

function RuleState({ rule, alerts }: { readonly rule: Rule; readonly alerts: DeskAlerts | undefined }) {
  const { mark, text, watches } = summariseRule(rule, alerts);
  return (
    <div className={styles['state']}>
      <StatusBadge state={mark}>{text}</StatusBadge>
      {watches !== null && <span>{watches}</span>}
    </div>
  );
}

function findLastFired(id: string, alerts: DeskAlerts | undefined): string | null {
  return alerts?.last_fired.find(({ rule_id: rule }) => rule === id)?.at ?? null;
}
