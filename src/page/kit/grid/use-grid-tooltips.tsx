import { useMemo } from 'react';
import { FactList } from '../fact-list.tsx';
import { useLoadErrorToast } from '../toast.tsx';
import type { TooltipContent } from '../tooltip/tooltip.tsx';
import { useTooltip } from '../tooltip/use-tooltip.tsx';
import type { CellTooltip } from '#model/tables/cell-tooltip.ts';
import type { GridCell, GridEvents } from './grid-props.ts';

/** The tooltip of a cell; its texts may have to be loaded first. */
export type ExplainCell<Row> = (cell: GridCell<Row>) => CellTooltip | null | Promise<CellTooltip | null>;

type TooltipEvents<Row> = Pick<GridEvents<Row>, 'onExplain' | 'onPeek' | 'onPeekLost' | 'onPoint'>;

/** Tooltips of cells: by a click, by `i`, and on hover where the user wants that. */
export function useGridTooltips<Row>(explain: ExplainCell<Row>): TooltipEvents<Row> {
  const control = useTooltip();
  const showLoadError = useLoadErrorToast();
  return useMemo(() => createTooltipEvents(explain, control, showLoadError), [explain, control, showLoadError]);
}

function createTooltipEvents<Row>(
  explain: ExplainCell<Row>,
  { hover, leave, peek, unpeek, pin }: ReturnType<typeof useTooltip>,
  showLoadError: () => void,
): TooltipEvents<Row> {
  let last: GridCell<Row> | null = null;
  const showTooltip = async (cell: GridCell<Row>, show: (content: TooltipContent) => void): Promise<void> => {
    last = cell;
    const tooltip = await explain(cell);
    if (tooltip !== null && last === cell)
      show({ anchor: cell.element, title: tooltip.title, content: <FactList facts={tooltip.facts} /> });
  };
  const showBy = (show: (content: TooltipContent) => void) => (cell: GridCell<Row>) => {
    showTooltip(cell, show).catch(showLoadError);
  };
  const point = (cell: GridCell<Row> | null, show: (content: TooltipContent) => void): void => {
    last = null;
    leave();
    if (cell !== null) showBy(show)(cell);
  };
  return {
    onExplain: showBy(pin),
    onPeek: showBy(peek),
    onPeekLost: () => {
      last = null;
      unpeek();
    },
    onPoint:
      hover === null
        ? undefined
        : (cell) => {
            point(cell, hover);
          },
  };
}
