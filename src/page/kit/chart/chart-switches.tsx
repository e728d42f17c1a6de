import { Segmented } from '../segmented.tsx';
import type { Scale } from '#model/charts/chart-data.ts';
import type { MenuItem } from '../menu.tsx';

const SCALES = [
  ['linear', 'Linear'],
  ['log', 'Log'],
  ['percent', '%'],
] as const;

export function ScalePicker({ value, onChange }: { readonly value: Scale; readonly onChange: (scale: Scale) => void }) {
  return <Segmented label="Scale" choices={SCALES} value={value} onChange={onChange} />;
}

export type ChartView = 'chart' | 'table';

interface ViewProps {
  readonly view: ChartView;
  readonly onView: (view: ChartView) => void;
}

/** The item of an Export menu that shows a chart’s table in its place. */
export function toTableItem({ view, onView }: ViewProps): readonly MenuItem[] {
  if (view === 'table') return [];
  const run = (): void => {
    onView('table');
  };
  return [{ label: 'Table', remark: 'on screen', run }];
}

/** Leads back from a chart’s table. */
export function BackToChart({ view, onView, name = 'Chart' }: ViewProps & { readonly name?: string }) {
  return (
    view === 'table' && (
      <button
        type="button"
        onClick={() => {
          onView('chart');
        }}
      >
        {name}
      </button>
    )
  );
}
