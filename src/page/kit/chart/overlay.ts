import { createContext, type KeyboardEvent, type RefObject } from 'react';
import { useRequiredContext } from '../use-required-context.ts';
import type { ChartHandle, Crosshair } from './chart-input.ts';

/** Takes keys on the chart before the chart does; returns whether it has taken one. */
export type TakeKey = (event: KeyboardEvent) => boolean;

/** What an overlay of a chart may use. */
export interface ChartTools {
  readonly chart: ChartHandle;
  readonly crosshair: Crosshair;
  readonly stageRef: RefObject<HTMLDivElement | null>;
  readonly takeKeyRef: RefObject<TakeKey | null>;
}

export const OverlayContext = createContext<ChartTools | null>(null);

export function useChartTools(): ChartTools {
  return useRequiredContext(OverlayContext, 'chart');
}
