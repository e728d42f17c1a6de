/** The product's grid by itself: everything that screens use of it. */
export { Grid } from '../../../../src/page/kit/grid/grid.tsx';
export { sparseRows } from '../../../../src/model/tables/arrange-rows.ts';
export { moveColumn } from '../../../../src/page/kit/grid/change-columns.ts';
export { filterColumn } from '../../../../src/page/kit/grid/grid-props.ts';
export { defaultGridState } from '../../../../src/model/tables/grid.ts';
export { useGridRows } from '../../../../src/page/kit/grid/use-grid-rows.ts';
