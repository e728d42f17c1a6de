import type { GridColumn } from '#model/tables/grid.ts';
import { isPlainClick, type Navigator } from '../navigator.ts';

interface ToggleInputs<Row> {
  /** ARIA attribute that says whether the button is on. */
  readonly stateAttribute: 'aria-pressed' | 'aria-checked';
  readonly isOn: (row: Row) => boolean;
  readonly label: (row: Row) => string;
  readonly toggle: (row: Row) => void;
  /** Calls back when the state of any row changes. */
  readonly watch: (changed: () => void) => () => void;
}

/** Draws cells with one toggle button, whose symbol is the cell’s text. */
export function toggleCells<Row>({
  stateAttribute,
  isOn,
  label,
  toggle,
  watch,
}: ToggleInputs<Row>): Pick<GridColumn<Row>, 'draw' | 'watch'> {
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

interface LinkInputs<Row> {
  /** Null for plain text. */
  readonly to: (row: Row) => string | null;
  /** Accessible name, if the text alone is not enough. */
  readonly label?: (row: Row) => string;
  /** Writes the text of the link, if it is more than plain text. */
  readonly write?: ((element: HTMLElement, text: string) => void) | undefined;
}

/** Draws cells with a real link. Only plain clicks are handled here, so that opening in a new tab and copying work. */
export function linkCells<Row>(
  navigator: Navigator,
  { to, label, write = writePlain }: LinkInputs<Row>,
): Pick<GridColumn<Row>, 'draw' | 'watch'> {
  return {
    // Links carry the sticky parameters of the current address.
    watch: navigator.subscribe,
    draw: () => {
      const element = document.createElement('a');
      let target: string | null = null;
      element.tabIndex = -1;
      // Dragging selects cells.
      element.draggable = false;
      element.addEventListener('click', (event) => {
        if (target === null || !isPlainClick(event)) return;
        event.preventDefault();
        navigator.go(target);
      });
      const show = (row: Row, text: string): void => {
        target = to(row);
        write(element, text);
        if (target === null) element.removeAttribute('href');
        else element.setAttribute('href', navigator.hrefOf(target));
        if (label !== undefined) element.ariaLabel = label(row);
      };
      return { element, show };
    },
  };
}

function writePlain(element: HTMLElement, text: string): void {
  element.textContent = text;
}
