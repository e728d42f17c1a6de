export type ChartView = 'chart' | 'table';

interface ViewToggleProps {
  readonly view: ChartView;
  readonly onView: (view: ChartView) => void;
  /** Name of the picture. */
  readonly picture?: string;
}

/** Switches between a picture and its table; the button names the other one. */
export function ViewToggle({ view, onView, picture = 'Chart' }: ViewToggleProps) {
  return (
    <button
      type="button"
      onClick={() => {
        onView(view === 'table' ? 'chart' : 'table');
      }}
    >
      {view === 'table' ? picture : 'Table'}
    </button>
  );
}
