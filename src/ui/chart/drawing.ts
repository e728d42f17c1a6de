import type { Ink } from './picture.ts';
import type { ViewWindow } from './view-window.ts';

/** A picture as it is drawn: what can be asked of it and done to it. */
export interface Drawing {
  readonly view: () => ViewWindow | null;
  readonly setView: (view: ViewWindow) => void;
  /** Fits the price axes to the values in sight, however they were stretched. */
  readonly fitValues: () => void;
  /** Puts the crosshair on a bar, or takes it away. */
  readonly point: (bar: number | null) => void;
  /** The colour that an ink is painted with at present. */
  readonly colorOf: (ink: Ink) => string;
  readonly toCanvas: () => HTMLCanvasElement;
}
