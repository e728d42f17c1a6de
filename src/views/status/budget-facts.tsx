import type { Answer } from '#api/answer.ts';
import type { DeskStatus } from '#contract/desk.ts';
import { FactList, type Fact } from '#ui/fact-list.tsx';
import { Figure } from '#ui/figure.tsx';
import { formatDuration } from '#ui/time/format-time.ts';
import { Time } from '#ui/time/time.tsx';
import { toProvenance } from './to-provenance.ts';
import styles from './status-screen.module.css';

type Budget = DeskStatus['budget'];
type Purpose = keyof Budget['by_purpose'];

const PURPOSES: readonly (readonly [purpose: Purpose, words: string])[] = [
  ['click', 'What somebody waits for'],
  ['working', 'Working orders'],
  ['trailing', '24 h statistics'],
  ['estimates', 'Funding in progress'],
  ['history', 'History'],
  ['prefetch', 'Ahead of need'],
];

/** What was spent, what is left, when it comes back, and on what it went. */
export function BudgetFacts({ answer }: { readonly answer: Answer<DeskStatus> }) {
  const { budget } = answer.value;
  const figure = (field: string, wire: number) => (
    <Figure name={field} text={String(wire)} provenance={() => toProvenance(answer, `budget.${field}`, wire)} />
  );
  const spent: readonly Fact[] = PURPOSES.map(([purpose, words]) => ({
    name: words,
    value: figure(`by_purpose.${purpose}`, budget.by_purpose[purpose]),
  }));
  return (
    <div className={styles['facts']}>
      <Left budget={budget} />
      <FactList facts={[...limitFacts(answer), { name: 'Waiting for their turn', value: figure('waiting', budget.waiting) }]} />
      <h3 className={styles['sub']}>What it was spent on</h3>
      <FactList facts={spent} />
    </div>
  );
}

function Left({ budget: { limit, used } }: { readonly budget: Budget }) {
  if (limit === null) return null;
  const left = Math.max(0, limit.requests - used);
  return (
    <meter className={styles['meter']} aria-label="Requests left" min={0} max={limit.requests} low={limit.reserve} value={left}>
      {left} of {limit.requests}
    </meter>
  );
}

function limitFacts(answer: Answer<DeskStatus>): readonly Fact[] {
  const { now, budget } = answer.value;
  const { limit, used, next_back_at, all_back_at } = budget;
  if (limit === null) return [{ name: 'Limit', value: 'none' }];
  const { requests, seconds, reserve } = limit;
  return [
    { name: 'Left', value: <Figure name="Left" text={`${Math.max(0, requests - used)} of ${requests}`} provenance={() => toProvenance(answer, 'budget', budget)} /> },
    { name: 'Comes back', value: `each request ${formatDuration(seconds)} after its answer` },
    { name: 'The next', value: next_back_at === null ? '–' : <In at={next_back_at} now={now} /> },
    { name: 'All', value: all_back_at === null ? describeAll(used) : <In at={all_back_at} now={now} /> },
    { name: 'Kept for who waits', value: <Figure name="Kept for who waits" text={String(reserve)} provenance={() => toProvenance(answer, 'budget.limit', limit)} /> },
  ];
}

function describeAll(used: number): string {
  return used === 0 ? 'back' : 'not known while an answer is out';
}

/** How long until then; pointing at it tells when that is, on all three clocks. */
function In({ at, now }: { readonly at: string; readonly now: string }) {
  return <Time at={at}>in {formatDuration(secondsTo(at, now))}</Time>;
}

/** From when it was told. */
function secondsTo(at: string, now: string): number {
  return Math.max(0, Date.parse(at) - Date.parse(now)) / 1_000;
}
