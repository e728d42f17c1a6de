import type { GridColumn } from '#model/tables/grid-column.ts';

interface ToggleParts<Row> {
  /** ARIA attribute that says whether it is on. */
  readonly stateAttribute: 'aria-pressed' | 'aria-checked';
  readonly isOn: (row: Row) => boolean;
  readonly label: (row: Row) => string;
  readonly toggle: (row: Row) => void;
  /** Calls back when the state of any row changes. */
  readonly watch: (changed: () => void) => () => void;
}

/** Cells with one toggle button; its symbol is the cell’s text. */
export function toggleCells<Row>({
  stateAttribute,
  isOn,
  label,
  toggle,
  watch,
}: ToggleParts<Row>): Pick<GridColumn<Row>, 'draw' | 'watch'> {
  return {
    watch,
    draw: () => {
      const element = document.createElement('button');
      let shown: Row | null = null;
      element.type = 'button';
      element.tabIndex = -1;
      if (stateAttribute === 'aria-checked') element.role = 'checkbox';
      element.addEventListener('click', () => {
        if (shown !== null) toggle(shown);
      });
      const show = (row: Row, text: string): void => {
        shown = row;
        element.textContent = text;
        element.ariaLabel = label(row);
        element.setAttribute(stateAttribute, String(isOn(row)));
      };
      return { element, show };
    },
  };
}
