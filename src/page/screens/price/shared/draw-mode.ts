import { createContext, use } from 'react';
import type { ProductId } from '#contract/exchange/ids.ts';
import type { DrawingKind } from '#model/charts/drawings/drawing.ts';
import { toStorageKey } from '#page/kit/saved-record.ts';
import { createStoredValue, parseFields, type Frame, type StoredValue } from '#page/kit/stored-value.ts';

/** What is being drawn on the chart, or that the list of drawings is open; null: neither. */
export type DrawMode = DrawingKind | 'list' | null;

type Modal = readonly [mode: DrawMode, setMode: (mode: DrawMode) => void];

/** Connects the menu of the screen’s toolbar with the chart. */
export const DrawModeContext = createContext<Modal>([null, () => undefined]);

export function useDrawMode(): Modal {
  return use(DrawModeContext);
}

/** The drawings of a product as text; empty if there are none. */
export interface DrawnText extends Pick<StoredValue<string>, 'read' | 'subscribe' | 'write'> {
  /** Under which they are kept. */
  readonly name: string;
  readonly count: () => number;
}

/** Keeps the drawings of a product. Only the code that draws knows their form, so that a chart without any needs none. */
export function createDrawnText(frame: Frame, productId: ProductId): DrawnText {
  const name = `${String(productId)}.drawings`;
  const { read, subscribe, write, clear } = createStoredValue(frame, toStorageKey(name), {
    parse: (text) => text ?? '',
    format: (text) => text,
  });
  return {
    name,
    read,
    subscribe,
    count: () => {
      const { drawings } = parseFields(read() || null, 1);
      return Array.isArray(drawings) ? drawings.length : 0;
    },
    write: (text) => {
      if (text === '') clear();
      else write(text);
    },
  };
}
