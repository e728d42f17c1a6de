import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useRulesApi } from '#api/react/use-rules-api.ts';
import { NO_REFETCH } from '#api/refetch-options.ts';
import type { Rule } from '#contract/desk-rules.ts';
import type { RuleTrial as Trial } from '#contract/desk-alerts.ts';
import type { Static } from '#contract/schema.ts';
import { countOf, formatCount } from '#domain/format/count.ts';
import { StatusBadge } from '#ui/status-badge.tsx';
import { Skeleton } from '#panels/skeleton.tsx';
import { Table, type Column } from '#ui/table.tsx';
import { Timestamp } from '#ui/time/timestamp.tsx';
import { ActionError } from '#panels/action-error.tsx';
import { TriedPast } from './tried-past.tsx';
import styles from './form.module.css';

type Result = Static<typeof Trial>;

/** So long after the last change it is tried. */
const PAUSE_MS = 500;

/** What a rule says now, and when it would have fired; null: it is no rule yet. */
export function RuleTrial({ rule }: { readonly rule: Rule | null }) {
  const { actions } = useRulesApi();
  const tried = useSettled(rule === null ? '' : JSON.stringify(rule));
  const query = useQuery({
    queryKey: ['desk/tryRule', tried],
    queryFn: () => actions.tryRule({ body: { rule: JSON.parse(tried) as Rule } }),
    enabled: tried !== '',
    retry: false,
    ...NO_REFETCH,
  });
  const { data: shown = null, error, isFetching, refetch } = query;
  return (
    <section className={styles['trial']} aria-labelledby="trial" aria-busy={isFetching}>
      <header>
        <h2 id="trial">Trial</h2>
        <span className={styles['tried']}>{isFetching ? 'Trying…' : shown !== null && <>Tried <Timestamp at={query.dataUpdatedAt} /></>}</span>
        <button type="button" disabled={rule === null || isFetching} onClick={() => void refetch()}>
          Try again
        </button>
      </header>
      <ActionError error={rule === null ? null : error} />
      {rule === null && <p>Once the rule is complete, this shows its result now and when it would have fired.</p>}
      {rule !== null && error === null && (shown === null ? <Skeleton /> : <TrialResult trial={shown} />)}
    </section>
  );
}

/** The text, once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(text);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [text]);
  return text === '' ? '' : settled;
}

type Group = Result['now'][number];
const MOST_GROUPS = 50;

const GROUP_COLUMNS: readonly Column<Group>[] = [
  { name: 'Now', cell: ({ holds }) => <StatusBadge state={holds === null ? 'attention' : holds ? 'bad' : 'good'}>{holds === null ? 'unknown' : holds ? 'holds' : 'does not hold'}</StatusBadge> },
  { name: 'Result', cell: ({ sentence }) => sentence },
];

function TrialResult({ trial }: { readonly trial: Result }) {
  const rank = ({ holds }: Group): number => (holds === true ? 0 : holds === null ? 1 : 2);
  const groups = trial.now.toSorted((a, b) => rank(a) - rank(b));
  const held = groups.filter(({ holds }) => holds === true).length;
  return (
    <>
      <p>
        <strong>{describeNow(trial, held)}</strong> {trial.no_data}
      </p>
      {groups.length > 0 && <Table caption="Result now" columns={GROUP_COLUMNS} rows={groups.slice(0, MOST_GROUPS)} keyOf={({ group }) => group} />}
      {groups.length > MOST_GROUPS && <p>Only the first {MOST_GROUPS} of {formatCount(groups.length)} are shown.</p>}
      <h3>On the journal</h3>
      <TriedPast trial={trial} />
    </>
  );
}

function describeNow({ no_data: missing, now }: Result, held: number): string {
  if (missing !== null) return 'No data.';
  if (now.length === 0) return 'Nothing matches the rule now.';
  if (now.length === 1 && now[0]?.group === '') return held === 1 ? 'The condition holds now.' : now[0].holds === null ? 'Whether the condition holds is unknown.' : 'The condition does not hold now.';
  return held === 0 ? `The condition holds for none of ${countOf(now.length, 'group')} now.` : `The condition holds for ${formatCount(held)} of ${countOf(now.length, 'group')} now.`;
}
