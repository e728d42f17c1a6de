import { isPlainClick } from '../navigation/plain-click.ts';
import type { Navigator } from '../navigation/navigator.ts';
import type { GridColumn } from '#model/tables/grid-column.ts';

interface LinkParts<Row> {
  /** Null for plain text. */
  readonly to: (row: Row) => string | null;
  /** Accessible name, where the text alone is not enough. */
  readonly label?: (row: Row) => string;
  /** Writes its text, where that is more than plain. */
  readonly write?: ((element: HTMLElement, text: string) => void) | undefined;
}

/** Cells with a real link: only a plain click is handled here, so that opening in a new tab and copying work. */
export function linkCells<Row>(
  navigator: Navigator,
  { to, label, write = writePlain }: LinkParts<Row>,
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
