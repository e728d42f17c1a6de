import { useEffect, useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { SettledBar } from '#model/price/bars.ts';
import { findPriceLevels } from '#model/rules/price-levels.ts';
import { useRulesApi } from '#page/client/react/use-rules-api.ts';
import { useChartTools } from '#page/kit/chart/chart-frame.tsx';
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
}

interface Lines {
  readonly lines: readonly { readonly level: number; readonly label: string }[];
  readonly color: string;
}

/** Quiet lines over the chart, at the prices at which rules raise alerts. */
export function RuleLines({ product, switches, base }: RuleLinesProps) {
  const { chart } = useChartTools();
  const colourKey = useColourKey();
  const { levels } = useLevels(product);
  const isHidden = switches.isHidden(NAME);
  useEffect(() => {
    if (isHidden || levels.length === 0) return undefined;
    const toLevel = (usd: number): number => (base === null ? usd : (usd / Number(base.settlement) - 1) * 100);
    const layer = chart.addLayer(paint, () => []);
    layer.show({
      lines: levels.map(({ usd, words }) => ({ level: toLevel(usd), label: `Rule: ${words}` })),
      color: chart.colorOf('muted'),
    });
    return layer.remove;
    // Lines have the colours of the theme.
  }, [chart, levels, base, isHidden, colourKey]);
  return null;
}

const FONT_SIZE = 11;
const INDENT = 8;

function paint({ context, mediaSize: { width } }: Canvas, { chart, series }: Attached, { lines, color }: Lines): void {
  context.font = `${String(FONT_SIZE)}px ${chart.options().layout.fontFamily}`;
  context.textAlign = 'left';
  context.textBaseline = 'bottom';
  context.fillStyle = context.strokeStyle = color;
  context.lineWidth = 1;
  context.setLineDash([2, 4]);
  for (const { level, label } of lines) {
    const y = Math.round(series.priceToCoordinate(level) ?? -1) + 0.5;
    context.beginPath();
    context.moveTo(0, y);
    context.lineTo(width, y);
    context.stroke();
    context.fillText(label, INDENT, y - 1);
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
