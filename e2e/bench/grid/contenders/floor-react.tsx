import { useLayoutEffect, useRef } from 'react';
import { present } from '../stage.ts';
import { FloorGrid } from './floor-grid.ts';
import { createReactContender, type View } from './react-contender.tsx';

let grid: FloorGrid | null = null;

function UnderReact({ orders, direction, symbol, text }: View) {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (root.current === null) return;
    grid ??= new FloorGrid(root.current, orders);
    Object.assign(grid, { direction, symbol, text });
    grid.show(orders);
  }, [orders, direction, symbol, text]);
  return <div ref={root} className="fill" />;
}

await present(
  createReactContender(UnderReact, {
    topId: () => grid?.topId() ?? null,
    scroller: () => {
      if (grid === null) throw new Error('the grid is not mounted');
      return grid.scroller;
    },
  }),
);
