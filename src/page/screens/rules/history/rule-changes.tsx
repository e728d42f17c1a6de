import { useQuery } from '@tanstack/react-query';
import { useRulesApi } from '#page/client/react/use-rules-api.ts';
import { RULE_ENDPOINTS } from '#contract/desk/alerts.ts';
import type { DeskRuleChanges } from '#contract/desk/rules.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Panel } from '#page/panels/panel.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { ChangeText } from './change-text.tsx';
import styles from '../shared/rules.module.css';

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
