/** The code of drawings. It loads as a whole, with the first drawing or the menu. */
export { ChartDrawings } from './chart-drawings.tsx';
export { DrawMenu } from './draw-menu.tsx';
