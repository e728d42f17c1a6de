import { Segmented } from '../segmented.tsx';
import type { Scale } from '#model/charts/chart-data.ts';

const SCALES = [
  ['linear', 'Linear'],
  ['log', 'Log'],
  ['percent', '%'],
] as const;

export function ScalePicker({ value, onChange }: { readonly value: Scale; readonly onChange: (scale: Scale) => void }) {
  return <Segmented label="Scale" choices={SCALES} value={value} onChange={onChange} />;
}

export type ChartView = 'chart' | 'table';

interface ViewToggleProps {
  readonly view: ChartView;
  readonly onView: (view: ChartView) => void;
  /** Name of the button that leads back from the table. */
  readonly chartData?: string;
}

/** Switches between a chart and its table; the button names the other one. */
export function ViewToggle({ view, onView, chartData = 'Chart' }: ViewToggleProps) {
  return (
    <button
      type="button"
      onClick={() => {
        onView(view === 'table' ? 'chart' : 'table');
      }}
    >
      {view === 'table' ? chartData : 'Table'}
    </button>
  );
}
