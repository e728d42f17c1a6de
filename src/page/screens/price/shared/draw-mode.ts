import { createContext, use } from 'react';
import type { ProductId } from '#contract/exchange/ids.ts';
import type { DrawingKind } from '#model/charts/drawings/drawing.ts';
import { toStorageKey } from '#page/kit/saved-record.ts';
import { createStoredValue, type Frame, type StoredValue } from '#page/kit/stored-value.ts';

/** What is being drawn on the chart, or that the list of drawings is open; null: neither. */
export type DrawMode = DrawingKind | 'list' | null;

type Modal = readonly [mode: DrawMode, setMode: (mode: DrawMode) => void];

/** Connects the menu of the screen’s toolbar with the chart. */
export const DrawModeContext = createContext<Modal>([null, () => undefined]);

export function useDrawMode(): Modal {
  return use(DrawModeContext);
}

/** The drawings of a product as text; empty if there are none. */
export type DrawnText = Pick<StoredValue<string>, 'read' | 'subscribe' | 'write'>;

export function toDrawingsName(productId: ProductId): string {
  return `${String(productId)}.drawings`;
}

/** Keeps the drawings of a product. Only the code that draws reads the text, so that a chart without any needs none. */
export function createDrawnText(frame: Frame, productId: ProductId): DrawnText {
  const { read, subscribe, write, clear } = createStoredValue(frame, toStorageKey(toDrawingsName(productId)), {
    parse: (text) => text ?? '',
    format: (text) => text,
  });
  return {
    read,
    subscribe,
    write: (text) => {
      if (text === '') clear();
      else write(text);
    },
  };
}
