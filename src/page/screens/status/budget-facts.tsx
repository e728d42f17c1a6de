import { formatCount } from '#model/format/count.ts';
import type { ApiResponse } from '#model/response.ts';
import type { DeskStatus } from '#contract/desk/status.ts';
import { FactList, type Fact } from '#page/kit/fact-list.tsx';
import { Figure } from '#page/kit/figure.tsx';
import { formatDuration } from '#model/format/format-time.ts';
import { isReserveOnly, isSlowed, type ReceivedStatus } from '#page/client/desk-status.ts';
import { StatusBadge } from '#page/kit/status-badge.tsx';
import { Time } from '#page/kit/time/time.tsx';
import { toProvenance } from '#model/tables/status/endpoint-rows.ts';
import styles from './status-screen.module.css';

type Budget = DeskStatus['budget'];
type Counts = NonNullable<Budget['by_purpose']>;
type Purpose = keyof Counts;

const PURPOSES: readonly (readonly [purpose: Purpose, name: string])[] = [
  ['interactive', 'Interactive'],
  ['working', 'Working orders'],
  ['trailing', '24 h statistics'],
  ['estimates', 'Predicted rates'],
  ['history', 'History'],
  ['prefetch', 'Prefetch'],
];

export function BudgetFacts({ response }: { readonly response: ApiResponse<DeskStatus> }) {
  const { budget } = response.value;
  const counts: Counts | null = budget.by_purpose;
  const toFact = (name: string, field: string, count: number): Fact => ({
    name,
    value: (
      <Figure
        name={name}
        text={formatCount(count)}
        provenance={() => toProvenance(response, `budget.${field}`, count)}
      />
    ),
  });
  return (
    <div className={styles['facts']}>
      <BudgetMeter budget={budget} />
      <FactList
        facts={[
          { name: 'Updates', value: <Updates status={response} /> },
          ...limitFacts(response),
          toFact('Queued', 'waiting', budget.waiting),
        ]}
      />
      {counts !== null && (
        <>
          <h3 className={styles['sub']}>Requests by purpose</h3>
          <FactList facts={PURPOSES.map(([purpose, name]) => toFact(name, `by_purpose.${purpose}`, counts[purpose]))} />
        </>
      )}
    </div>
  );
}

/** Says what is slower, which the header says in two words. */
function Updates({ status }: { readonly status: ReceivedStatus }) {
  if (!isSlowed(status)) return <StatusBadge state="good">OK</StatusBadge>;
  return (
    <>
      <StatusBadge state="attention">Data slower:</StatusBadge>{' '}
      {isReserveOnly(status.value.budget)
        ? 'background updates are paused, and what is left is kept for what you open'
        : 'updates come less often, as Live topics says'}
    </>
  );
}

function BudgetMeter({ budget: { limit, used } }: { readonly budget: Budget }) {
  if (limit === null) return null;
  const left = Math.max(0, limit.requests - used);
  return (
    <meter
      className={styles['meter']}
      aria-label="Requests left"
      min={0}
      max={limit.requests}
      low={limit.reserve}
      value={left}
    >
      {left} / {limit.requests}
    </meter>
  );
}

function limitFacts(response: ApiResponse<DeskStatus>): readonly Fact[] {
  const { now, budget } = response.value;
  const { limit, used, next_back_at, all_back_at } = budget;
  if (limit === null) return [{ name: 'Limit', value: 'none' }];
  const { requests, seconds, reserve } = limit;
  return [
    {
      name: 'Requests left',
      value: (
        <Figure
          name="Requests left"
          text={`${Math.max(0, requests - used)} / ${requests}`}
          provenance={() => toProvenance(response, 'budget', budget)}
        />
      ),
    },
    { name: 'Refill', value: `each request is returned ${formatDuration(seconds)} after its response` },
    { name: 'Next refill', value: next_back_at === null ? '–' : <In at={next_back_at} now={now} /> },
    { name: 'Full refill', value: all_back_at === null ? describeFullRefill(used) : <In at={all_back_at} now={now} /> },
    {
      name: 'Reserved for interactive use',
      value: (
        <Figure
          name="Reserved for interactive use"
          text={String(reserve)}
          provenance={() => toProvenance(response, 'budget.limit', limit)}
        />
      ),
    },
  ];
}

function describeFullRefill(used: number): string {
  return used === 0 ? 'now' : 'unknown while a request is in flight';
}

function In({ at, now }: { readonly at: string; readonly now: string }) {
  return <Time at={at}>in {formatDuration(secondsTo(at, now))}</Time>;
}

function secondsTo(at: string, now: string): number {
  return Math.max(0, Date.parse(at) - Date.parse(now)) / 1_000;
}
