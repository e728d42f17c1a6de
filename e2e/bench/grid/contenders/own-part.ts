/** What the product's grid is by itself: all that screens take from it. */
export { Grid } from '../../../../src/ui/grid/grid.tsx';
export { sparseRows } from '../../../../src/ui/grid/grid-rows.ts';
export { moveColumn } from '../../../../src/ui/grid/change-columns.ts';
export { filterColumn } from '../../../../src/ui/grid/change-state.ts';
export { defaultGridState } from '../../../../src/ui/grid/grid-state.ts';
export { useGridRows } from '../../../../src/ui/grid/use-grid-rows.ts';
