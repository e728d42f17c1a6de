import { useMemo } from 'react';
import { toDecimal } from '#model/units/decimal.ts';
import { formatPercent } from '#model/format/number.ts';
import { distributeRates, type RateBin } from '#model/funding/rate-distribution.ts';
import type { Fact } from '#model/format/fact.ts';
import { Figure } from '#page/kit/controls/figure.tsx';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import { toOriginFacts } from '#model/tables/funding/origin-facts.ts';
import { toRangeStart, type PerpetualData } from '#model/tables/funding/perpetual-data.ts';
import { PERPETUAL_PARAMS } from '#model/tables/funding/perpetual-params.ts';
import styles from '../perpetual.module.css';

export function RateDistribution({ data: { series, source } }: { readonly data: PerpetualData }) {
  const [range] = useUrlState(PERPETUAL_PARAMS.range);
  const bins = useMemo(
    () => distributeRates(series, { from: toRangeStart(series, range), to: series.expectedTo ?? 0 }),
    [series, range],
  );
  const all = bins.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const columns: readonly Column<RateBin>[] = [
    { name: 'Rate', unit: 'bp per 8 h, + = longs pay', cell: describe },
    {
      name: 'Share',
      cell: ({ count, from, kind }) => (
        <meter
          className={styles['bar']}
          data-side={sideOf(kind, from)}
          min={0}
          max={most}
          value={count}
          aria-label={`${String(count)} settled rates`}
        />
      ),
    },
    {
      name: 'Settled rates',
      numeric: true,
      cell: (bin) => <Figure name={describe(bin)} text={String(bin.count)} provenance={() => explain(bin)} />,
    },
    {
      name: '%',
      numeric: true,
      cell: ({ count }) => (all === 0 ? '–' : formatPercent(toDecimal(String(count)).div(all), { digits: 1 })),
    },
  ];
  const explain = (bin: RateBin): readonly Fact[] => [
    { name: 'Computed', value: `${String(bin.count)} of the ${String(all)} settled rates in this range` },
    { name: 'Field', value: 'prints.funding_rate', code: true },
    ...toOriginFacts(source),
  ];
  return <Table caption="Rate distribution" columns={columns} rows={bins} keyOf={describe} />;
}

function describe({ kind, from, to }: RateBin): string {
  if (kind === 'zero') return '0';
  if (kind === 'baseline') return 'at interest rate';
  if (from === null) return `below ${sign(to ?? 0)}`;
  return to === null ? `${sign(from)} or more` : `${sign(from)} to ${sign(to)}`;
}

function sign(value: number): string {
  return value < 0 ? `−${String(-value)}` : String(value);
}

function sideOf(kind: RateBin['kind'], from: number | null): 'longs' | 'shorts' | 'none' {
  if (kind === 'zero') return 'none';
  return kind === 'baseline' || (from !== null && from >= 0) ? 'longs' : 'shorts';
}
