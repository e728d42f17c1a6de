import type { Goal } from '../lib/report.ts';
import { median } from '../lib/statistics.ts';
import { formatTable } from '../lib/table.ts';
import { type Audited, reports } from './audit.ts';
import { CHART_ALONE, FAST, type Audit } from './screens.ts';

type Results = ReadonlyMap<Audit, readonly Audited[]>;
type Category = keyof Audited['scores'];

function score(rounds: readonly Audited[], category: Category): number {
  return median(rounds.map(({ scores }) => scores[category]));
}

export function printResults(results: Results): void {
  const rows = [...results].map(([screen, rounds]) => [
    screen,
    ...(['performance', 'accessibility', 'best-practices'] as const).map((category) => String(score(rounds, category))),
    rounds.map(({ scores }) => String(scores.performance)).join(' '),
  ]);
  console.log(
    formatTable(['medians', 'performance', 'accessibility', 'best practices', 'performance of each round'], rows),
  );
  const lost = [...results].flatMap(([screen, rounds]) => toLostRows(screen, rounds));
  if (lost.length > 0)
    console.log(`\n${formatTable(['where points were lost', 'category', 'points', 'rounds', 'measured'], lost)}`);
  console.log(`\nReports: ${reports}`);
}

/** Returns the worst of the rounds, most points first, because a finding in one round is a finding. */
function toLostRows(screen: Audit, rounds: readonly Audited[]): string[][] {
  const all = rounds.flatMap(({ lost }) => lost).toSorted((one, other) => other.points - one.points);
  return [...Map.groupBy(all, ({ audit }) => audit)].flatMap(([audit, [worst, ...others]]) =>
    worst === undefined || worst.points < 0.5
      ? []
      : [[`${screen} ${audit}`, worst.category, worst.points.toFixed(0), String(others.length + 1), worst.measured]],
  );
}

export function toGoals(results: Results): Goal[] {
  return [...results]
    .filter(([screen]) => screen !== CHART_ALONE)
    .flatMap(([screen, rounds]) => [
      ...(FAST.some((fast) => fast === screen) ? [atLeast(screen, rounds, 'performance', 95)] : []),
      atLeast(screen, rounds, 'accessibility', 100),
      atLeast(screen, rounds, 'best-practices', 100),
    ]);
}

function atLeast(screen: Audit, rounds: readonly Audited[], category: Category, limit: number): Goal {
  return {
    what: `${screen} ${category}`,
    measured: score(rounds, category),
    relation: 'at least',
    limit,
    unit: 'points',
  };
}
