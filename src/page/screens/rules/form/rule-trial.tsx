import type { Rule } from '#contract/desk/rules.ts';
import type { RuleTrial as Trial } from '#contract/desk/alerts.ts';
import type { Static } from '#contract/exchange/schema.ts';
import { findMeasure } from '#contract/desk/rule-measures.ts';
import { countOf, formatCount } from '#model/format/count.ts';
import { describeNothing } from '#model/rules/watched.ts';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { Skeleton } from '#page/panels/skeleton.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { ActionError } from '#page/panels/action-error.tsx';
import { TriedPast } from './tried-past.tsx';
import type { useTrial } from './use-trial.ts';
import styles from './form.module.css';

type Result = Static<typeof Trial>;

interface RuleTrialProps {
  readonly rule: Rule | null;
  readonly query: ReturnType<typeof useTrial>;
}

/** What a rule says now, and when it would have fired; null: it is no rule yet. */
export function RuleTrial({ rule, query }: RuleTrialProps) {
  const { data: shown = null, error, isFetching, refetch } = query;
  return (
    <section className={styles['trial']} aria-labelledby="trial" aria-busy={isFetching}>
      <header>
        <h2 id="trial">Trial</h2>
        <span className={styles['tried']}>
          {isFetching
            ? 'Trying…'
            : shown !== null && (
                <>
                  Tried <Timestamp at={query.dataUpdatedAt} />
                </>
              )}
        </span>
        <button type="button" disabled={rule === null || isFetching} onClick={() => void refetch()}>
          Try again
        </button>
      </header>
      <ActionError error={rule === null ? null : error} />
      {rule === null && <p>Once the rule is complete, this shows its result now and when it would have fired.</p>}
      {rule !== null &&
        error === null &&
        (shown === null ? (
          <Skeleton />
        ) : (
          <TrialResult trial={shown} isMeasured={findMeasure(rule.about, rule.measure)?.unit !== null} />
        ))}
    </section>
  );
}

type Group = Result['now'][number];
const MOST_GROUPS = 50;

/** `isMeasured`: where there is no value of what is compared, there is nothing that could hold or not. */
function toColumns(isMeasured: boolean): readonly Column<Group>[] {
  return [
    {
      name: 'Now',
      cell: ({ holds, value }) =>
        isMeasured && value === null && holds === false ? (
          <StatusBadge state="none">no value</StatusBadge>
        ) : (
          <StatusBadge state={holds === null ? 'attention' : holds ? 'bad' : 'good'}>
            {holds === null ? 'unknown' : holds ? 'holds' : 'does not hold'}
          </StatusBadge>
        ),
    },
    { name: 'Result', cell: ({ sentence }) => sentence },
  ];
}

function TrialResult({ trial, isMeasured }: { readonly trial: Result; readonly isMeasured: boolean }) {
  const rank = ({ holds }: Group): number => (holds === true ? 0 : holds === null ? 1 : 2);
  const groups = trial.now.toSorted((a, b) => rank(a) - rank(b));
  const held = groups.filter(({ holds }) => holds === true).length;
  return (
    <>
      <p>
        {trial.watches_nothing === null ? (
          <strong>{describeNow(trial, held)}</strong>
        ) : (
          <StatusBadge state="attention">{describeNothing(trial.watches_nothing)}</StatusBadge>
        )}{' '}
        {trial.no_data}
        {trial.watches_nothing === null && trial.watches !== null && `It watches ${trial.watches}.`}
      </p>
      {groups.length > 0 && (
        <Table
          caption="Result now"
          columns={toColumns(isMeasured)}
          rows={groups.slice(0, MOST_GROUPS)}
          keyOf={({ group }) => group}
        />
      )}
      {groups.length > MOST_GROUPS && (
        <p>
          Only the first {MOST_GROUPS} of {formatCount(groups.length)} are shown.
        </p>
      )}
      <h3>On the journal</h3>
      <TriedPast trial={trial} />
    </>
  );
}

function describeNow({ no_data: missing, now }: Result, held: number): string {
  if (missing !== null) return 'No data.';
  if (now.length === 1 && now[0]?.group === '')
    return held === 1
      ? 'The condition holds now.'
      : now[0].holds === null
        ? 'Whether the condition holds is unknown.'
        : 'The condition does not hold now.';
  return held === 0
    ? `The condition holds for none of ${countOf(now.length, 'group')} now.`
    : `The condition holds for ${formatCount(held)} of ${countOf(now.length, 'group')} now.`;
}
