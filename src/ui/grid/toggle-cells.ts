import type { GridColumn } from './grid-column.ts';

interface ToggleParts<Row> {
  /** How it says that it is on. */
  readonly says: 'aria-pressed' | 'aria-checked';
  readonly isOn: (row: Row) => boolean;
  readonly label: (row: Row) => string;
  readonly toggle: (row: Row) => void;
  /** Tells when others are on. */
  readonly watch: (changed: () => void) => () => void;
}

/** Cells with one button that is on or off; its sign is the cell's text. */
export function toggleCells<Row>({ says, isOn, label, toggle, watch }: ToggleParts<Row>): Pick<GridColumn<Row>, 'draw' | 'watch'> {
  return {
    watch,
    draw: () => {
      const element = document.createElement('button');
      let shown: Row | null = null;
      element.type = 'button';
      element.tabIndex = -1;
      if (says === 'aria-checked') element.role = 'checkbox';
      element.addEventListener('click', () => {
        if (shown !== null) toggle(shown);
      });
      const show = (row: Row, text: string): void => {
        shown = row;
        element.textContent = text;
        element.ariaLabel = label(row);
        element.setAttribute(says, String(isOn(row)));
      };
      return { element, show };
    },
  };
}
