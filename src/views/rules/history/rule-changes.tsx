import { useQuery } from '@tanstack/react-query';
import { useRulesApi } from '#api/react/use-rules-api.ts';
import { RULE_ENDPOINTS } from '#contract/desk-alerts.ts';
import type { DeskRuleChanges } from '#contract/desk-rules.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { Panel } from '#panels/panel.tsx';
import { Table, type Column } from '#ui/table.tsx';
import { Timestamp } from '#ui/time/timestamp.tsx';
import { ChangeText } from './change-text.tsx';

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
