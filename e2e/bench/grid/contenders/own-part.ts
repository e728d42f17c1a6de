/** What the product's grid is by itself: all that screens take from it. */
export { Grid } from '../../../../src/page/kit/grid/grid.tsx';
export { sparseRows } from '../../../../src/page/kit/grid/grid-rows.ts';
export { moveColumn } from '../../../../src/page/kit/grid/change-columns.ts';
export { filterColumn } from '../../../../src/page/kit/grid/change-state.ts';
export { defaultGridState } from '../../../../src/page/kit/grid/grid-state.ts';
export { useGridRows } from '../../../../src/page/kit/grid/use-grid-rows.ts';
