import { useQuery } from '@tanstack/react-query';
import { useRulesApi } from '#api/react/use-rules-api.ts';
import { RULE_ENDPOINTS } from '#contract/desk-alerts.ts';
import type { DeskRuleChanges, Rule } from '#contract/desk-rules.ts';
import { describeRule } from '#domain/rules/rule-sentence.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { Panel } from '#panels/panel.tsx';
import { Table, type Column } from '#ui/table.tsx';
import { Timestamp } from '#ui/time/timestamp.tsx';
import styles from '../rules.module.css';

type Change = DeskRuleChanges['changes'][number];

const COLUMNS: readonly Column<Change>[] = [
  { name: 'Time', cell: ({ at }) => <Timestamp at={at} /> },
  { name: 'By', cell: ({ by }) => by },
  { name: 'Rule', cell: ({ before, after, rule_id: id }) => (after ?? before)?.name ?? id },
  { name: 'Change', cell: (change) => <ChangeText change={change} /> },
];

/** Who changed which rule when. */
export function RuleChanges() {
  const { queries } = useRulesApi();
  const query = useQuery(queries.ruleChanges());
  return (
    <Panel
      title="Changes of rules"
      query={query}
      everySeconds={RULE_ENDPOINTS.ruleChanges.reuseSeconds}
      emptyState={({ value: { changes } }) =>
        changes.length > 0 ? null : (
          <EmptyState title="No changes so far">
            <p>Who creates, changes or deletes a rule is listed here.</p>
          </EmptyState>
        )
      }
    >
      {({ value: { changes } }) => <Table caption="Changes of rules, newest first" columns={COLUMNS} rows={changes} keyOf={({ at, rule_id: id }) => `${at} ${id}`} />}
    </Panel>
  );
}

function ChangeText({ change: { before, after } }: { readonly change: Change }) {
  const [name, rule] = after === null ? (['Deleted', before] as const) : ([before === null ? 'Created' : nameChange(before, after), after] as const);
  const isReworded = before !== null && after !== null && describeRule(before) !== describeRule(after);
  return (
    <div className={styles['rule']}>
      <b>{name}</b>
      {isReworded && <del>{describeRule(before)}</del>}
      {rule !== null && <span>{describeRule(rule)}</span>}
    </div>
  );
}

function nameChange(before: Rule, after: Rule): string {
  if (before.enabled !== after.enabled) return after.enabled ? 'Turned on' : 'Turned off';
  return before.name === after.name ? 'Changed' : `Renamed from ${before.name}`;
}
