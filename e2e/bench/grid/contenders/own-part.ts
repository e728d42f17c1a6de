/** What the product's grid is by itself: all that screens take from it. */
export { Grid } from '../../../../src/page/kit/grid/grid.tsx';
export { sparseRows } from '../../../../src/model/tables/grid-rows.ts';
export { moveColumn } from '../../../../src/page/kit/grid/change-columns.ts';
export { filterColumn } from '../../../../src/page/kit/grid/change-state.ts';
export { defaultGridState } from '../../../../src/model/tables/grid-state.ts';
export { useGridRows } from '../../../../src/page/kit/grid/use-grid-rows.ts';
