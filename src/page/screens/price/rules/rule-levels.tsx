import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { SettledBar } from '#model/price/bars.ts';
import { findPriceLevels } from '#model/rules/price-levels.ts';
import { useRulesApi } from '#page/client/react/use-rules-api.ts';
import { useChartTools } from '#page/kit/chart/chart-frame.tsx';
import type { ChartHandle, ChartLayer } from '#page/kit/chart/chart-input.ts';
import type { LegendSwitches } from '#page/kit/chart/legend-switches.ts';
import type { Attached, Canvas } from '#page/kit/chart/layers.ts';
import { Link } from '#page/kit/navigation.tsx';
import { useColourKey } from '#page/kit/use-preferences.tsx';
import { REFRESH_SECONDS } from '../shared/price-params.ts';
import styles from '../shared/price.module.css';

/** Names the lines among what the address hides. */
const NAME = 'Rules';

interface RuleLevelsProps {
  readonly product: DeskProduct;
  readonly switches: LegendSwitches;
}

/** Reads the rules, unless the alerts, which every page reads, say that there is none. */
function useLevels(product: DeskProduct) {
  const { queries } = useRulesApi();
  const alerts = useQuery({ ...queries.alerts(), enabled: false }).data;
  const { data, error } = useQuery({
    ...queries.rules({}, { everySeconds: REFRESH_SECONDS }),
    enabled: (alerts?.value.rules ?? 0) > 0,
  });
  const rules = data?.value.rules;
  const levels = useMemo(() => (rules === undefined ? [] : findPriceLevels(rules, product)), [rules, product]);
  return { levels, error };
}

interface RuleLinesProps extends RuleLevelsProps {
  /** The base of a percent scale. */
  readonly base: SettledBar | null;
  /** Is drawn over the lines. */
  readonly children: ReactNode;
}

interface Lines {
  readonly lines: readonly { readonly level: number; readonly label: string }[];
  readonly colorOf: ChartHandle['colorOf'];
}

/** Quiet lines over the chart, at the prices at which rules raise alerts. */
export function RuleLines({ product, switches, base, children }: RuleLinesProps) {
  const { chart } = useChartTools();
  const colourKey = useColourKey();
  const { levels } = useLevels(product);
  const isHidden = switches.isHidden(NAME);
  const layer = useRef<ChartLayer<Lines> | null>(null);
  // Before the effects of the children, whose layers are then over this one.
  useLayoutEffect(() => {
    const added = chart.addLayer(paint, () => []);
    layer.current = added;
    return () => {
      layer.current = null;
      added.remove();
    };
  }, [chart]);
  useEffect(() => {
    const toLevel = (usd: number): number => (base === null ? usd : (usd / Number(base.settlement) - 1) * 100);
    layer.current?.show({
      lines: isHidden ? [] : levels.map(({ usd, words }) => ({ level: toLevel(usd), label: `Rule: ${words}` })),
      colorOf: chart.colorOf,
    });
    // Lines have the colours of the theme.
  }, [chart, levels, base, isHidden, colourKey]);
  return children;
}

const FONT_SIZE = 11;
const INDENT = 4;
const PADDING = 4;
const HEIGHT = 16;

function paint(
  { context, mediaSize: { width } }: Canvas,
  { chart, series }: Attached,
  { lines, colorOf }: Lines,
): void {
  context.font = `${String(FONT_SIZE)}px ${chart.options().layout.fontFamily}`;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  context.strokeStyle = colorOf('muted');
  context.lineWidth = 1;
  context.setLineDash([2, 4]);
  // Drawings have their labels to the right of their points, mostly far from this end.
  const right = width - INDENT;
  for (const { level, label } of lines) {
    const y = Math.round(series.priceToCoordinate(level) ?? -HEIGHT) + 0.5;
    context.beginPath();
    context.moveTo(0, y);
    context.lineTo(width, y);
    context.stroke();
    context.fillStyle = colorOf('background');
    context.fillRect(right, y - HEIGHT / 2, -context.measureText(label).width - 2 * PADDING, HEIGHT);
    context.fillStyle = colorOf('muted');
    context.fillText(label, right - PADDING, y);
  }
  context.setLineDash([]);
}

/** Leads to the rules whose levels are drawn, also to those outside of the scale, and hides their lines. */
export function RuleNote({ product, switches }: RuleLevelsProps) {
  const { levels, error } = useLevels(product);
  if (error !== null)
    return <span role="note">Levels of rules are not shown, because rules are not loaded: {error.message}</span>;
  if (levels.length === 0) return null;
  return (
    <span className={styles['rules']}>
      <label className={styles['choice']}>
        <input
          type="checkbox"
          checked={!switches.isHidden(NAME)}
          onChange={() => {
            switches.toggle(NAME);
          }}
        />
        Rules
      </label>
      {levels.map(({ id, name, words }) => (
        <Link key={id} to={`/rules/edit/${id}`} title={name}>
          {words} USD
        </Link>
      ))}
    </span>
  );
}
