import { present } from '../stage.ts';
import { FloorGrid } from './floor-grid.ts';

let grid: FloorGrid | null = null;

function made(): FloorGrid {
  if (grid === null) throw new Error('the grid is not mounted');
  return grid;
}

await present({
  mount: (root, orders) => {
    grid = new FloorGrid(root, orders);
  },
  topId: () => grid?.topId() ?? null,
  scroller: () => made().scroller,
  update: (orders) => {
    made().show(orders);
  },
  sortByPrice: (direction) => {
    made().direction = direction;
    made().arrange();
  },
  filterSymbol: (symbol) => {
    made().symbol = symbol;
    made().arrange();
  },
  search: (text) => {
    made().text = text;
    made().arrange();
  },
});
