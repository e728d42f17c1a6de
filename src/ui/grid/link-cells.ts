import { isPlainClick } from '../navigation/link.tsx';
import type { Navigator } from '../navigation/navigator.ts';
import type { GridColumn } from './grid-column.ts';

interface LinkParts<Row> {
  /** Null: a plain text. */
  readonly to: (row: Row) => string | null;
  /** What is read out, where the text alone does not say it. */
  readonly label?: (row: Row) => string;
}

/** Cells whose text is a link, and stays one for everything that is not a plain click: new tabs, copying, saving. */
export function linkCells<Row>(navigator: Navigator, { to, label }: LinkParts<Row>): Pick<GridColumn<Row>, 'draw' | 'watch'> {
  return {
    // Links take along what holds on every screen, which is in the address.
    watch: navigator.subscribe,
    draw: () => {
      const element = document.createElement('a');
      let target: string | null = null;
      element.tabIndex = -1;
      // A drag over cells selects them.
      element.draggable = false;
      element.addEventListener('click', (event) => {
        if (target === null || !isPlainClick(event)) return;
        event.preventDefault();
        navigator.go(target);
      });
      const show = (row: Row, text: string): void => {
        target = to(row);
        element.textContent = text;
        if (target === null) element.removeAttribute('href');
        else element.setAttribute('href', navigator.hrefOf(target));
        if (label !== undefined) element.ariaLabel = label(row);
      };
      return { element, show };
    },
  };
}
