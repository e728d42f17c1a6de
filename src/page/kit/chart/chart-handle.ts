import type { Ink } from '#model/charts/picture.ts';
import type { ViewWindow } from './view-window.ts';

/** Imperative handle of a rendered chart. */
export interface ChartHandle {
  readonly view: () => ViewWindow | null;
  readonly setView: (view: ViewWindow) => void;
  /** Whether the user has set the view, by pointer or by keys. */
  readonly isSet: () => boolean;
  /** Listens to changes of the view. */
  readonly onMove: (listener: () => void) => () => void;
  /** Fits the price axes to the visible values. */
  readonly fitValues: () => void;
  /** Moves the crosshair to a bar, or hides it. */
  readonly point: (bar: number | null) => void;
  /** The current colour of an ink. */
  readonly colorOf: (ink: Ink) => string;
  readonly toCanvas: () => HTMLCanvasElement;
}
