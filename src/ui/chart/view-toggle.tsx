export type ChartView = 'chart' | 'table';

interface ViewToggleProps {
  readonly view: ChartView;
  readonly onView: (view: ChartView) => void;
  /** What the picture is called. */
  readonly picture?: string;
}

/** From a picture to the table of the same figures, and back: the button names where it leads. */
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
