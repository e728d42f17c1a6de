import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { type Anchor, describeAnchor } from '#model/charts/drawings/drawing.ts';
import type { DatedBars } from '#model/charts/drawings/move-drawing.ts';
import type { PriceData } from '#model/charts/price/price-data.ts';
import { type TakeKey, useChartTools } from '#page/kit/chart/chart-frame.tsx';
import type { KeyBinding } from '#page/kit/keyboard.ts';
import { useAnnounce } from '#page/kit/live-region.tsx';
import { useKeys } from '#page/kit/use-keys.tsx';
import type { Painter } from './painter.ts';
import type { Drawings } from './use-drawings.ts';

interface PointingOptions {
  readonly data: PriceData;
  readonly drawings: Drawings;
  readonly painter: Painter;
  readonly bars: DatedBars;
  readonly isDrawing: boolean;
  /** Takes keys while nothing is being drawn. */
  readonly takeKey: TakeKey;
  readonly place: (at: Anchor) => void;
  /** Called with each place that is pointed at. */
  readonly showPoint: (at: Anchor) => void;
  readonly cancel: () => void;
  readonly refuse: (reason: string) => void;
}

/** Follows the pointer and the keys on the chart while something is drawn, and its keys that change drawings. */
export function usePointing(options: PointingOptions): void {
  const { data, drawings, painter, bars, isDrawing, takeKey, place, showPoint, cancel, refuse } = options;
  const { chart, crosshair, stageRef, press, takeKeyRef } = useChartTools();
  const announce = useAnnounce();
  /** The level chosen by keys, in ticks; null: that of the bar or of the pointer. */
  const level = useRef<number | null>(null);
  const { tickSize, toLevel, toTicks } = painter;

  const toAnchor = (bar: number, ticks: number): Anchor | null => {
    const date = bars.dates[bar];
    return date === undefined ? null : { date, ticks };
  };
  const findPointed = (): Anchor | null => {
    const bar = crosshair.read();
    if (bar === null) return null;
    const pointed = chart.level();
    const chosen = crosshair.isFollowing() ? null : level.current;
    const ticks = chosen ?? (pointed === null ? findTicksBefore(data, bar, tickSize) : toTicks(pointed));
    return ticks === null ? null : toAnchor(bar, ticks);
  };
  const showAtLevel = (): void => {
    const at = findPointed();
    if (at === null) return;
    chart.point(crosshair.read(), toLevel(at.ticks));
    showPoint(at);
    announce(describeAnchor(at, tickSize));
  };
  const moveLevel = (by: number): void => {
    if (crosshair.read() === null) press({ key: 'End', ctrlKey: false, metaKey: false, altKey: false });
    const at = findPointed();
    if (at === null) return;
    level.current = at.ticks + by;
    // From here on, the crosshair is where the keys have put it.
    crosshair.set(crosshair.read());
    showAtLevel();
  };
  const takeToolKey: TakeKey = (event) => {
    const { key, shiftKey } = event;
    const step = shiftKey ? MANY_TICKS : 1;
    if (key === 'ArrowUp') moveLevel(step);
    else if (key === 'ArrowDown') moveLevel(-step);
    else if (key === 'Escape') cancel();
    else if (key === 'Enter') {
      const at = findPointed();
      if (at === null) refuse('Choose a bar first: left and right arrows move to one.');
      else place(at);
    } else if (press(event)) showAtLevel();
    else return false;
    return true;
  };
  const undoOrRedo = (isRedo: boolean): void => {
    const isDone = isRedo ? drawings.redo() : drawings.undo();
    announce(isDone ? (isRedo ? 'Drawn again.' : 'Drawing undone.') : `Nothing to ${isRedo ? 'redo' : 'undo'}.`);
  };
  useLayoutEffect(() => {
    takeKeyRef.current = (event) => {
      const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
      if (altKey) return false;
      const isModified = ctrlKey || metaKey;
      if (isModified && key.toLowerCase() === 'z') {
        undoOrRedo(shiftKey);
        return true;
      }
      return !isModified && (isDrawing ? takeToolKey(event) : takeKey(event));
    };
    return () => {
      takeKeyRef.current = null;
    };
  });

  const pick = useEffectEvent((x: number, y: number) => {
    const found = chart.placeAt(x, y);
    const at = found === null ? null : toAnchor(found.bar, toTicks(found.level));
    if (at !== null) place(at);
  });
  const follow = useEffectEvent(() => {
    const at = crosshair.isFollowing() ? findPointed() : null;
    if (at !== null) showPoint(at);
  });
  useEffect(() => {
    const element = stageRef.current;
    if (!isDrawing || element === null) return undefined;
    return listenToPointer(element, {
      onPick: (x, y) => {
        pick(x, y);
      },
      onMove: () => {
        follow();
      },
    });
  }, [stageRef, isDrawing]);
  useKeys(KEYS);
}

/** With Shift. */
const MANY_TICKS = 10;
/** A pointer that moves further drags the chart. */
const STILL_PX = 5;

interface PointerListeners {
  readonly onPick: (x: number, y: number) => void;
  readonly onMove: () => void;
}

/** Listens to clicks and taps. The library’s own clicks leave out the second of two in half a second. */
function listenToPointer(element: HTMLElement, { onPick, onMove }: PointerListeners): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  let pressed: PointerEvent | null = null;
  element.addEventListener(
    'pointerdown',
    (event) => {
      pressed = event.button === 0 && event.target instanceof HTMLCanvasElement ? event : null;
    },
    { signal },
  );
  element.addEventListener(
    'pointerup',
    ({ clientX, clientY }) => {
      if (pressed === null || Math.hypot(clientX - pressed.clientX, clientY - pressed.clientY) > STILL_PX) return;
      pressed = null;
      const { left, top } = element.getBoundingClientRect();
      onPick(clientX - left, clientY - top);
    },
    { signal },
  );
  element.addEventListener('mousemove', onMove, { signal });
  return () => {
    listening.abort();
  };
}

/** Returns the newest price up to a bar, for bars without one. */
function findTicksBefore({ slots }: PriceData, bar: number, tickSize: number): number | null {
  const close = slots
    .slice(0, bar + 1)
    .flatMap(({ bar: settled, running }) => running?.last.value?.toNumber() ?? settled?.close ?? [])
    .at(-1);
  return close === undefined ? null : Math.round(Number(close) / tickSize);
}

const group = 'Drawings on the chart';
/** The chart with the focus handles them itself. */
const KEYS: readonly KeyBinding[] = [
  { keys: '↑ ↓', label: 'While drawing: level up or down by a tick (Shift: ten)', group },
  { keys: 'Enter', label: 'While drawing: place a point', group },
  { keys: 'Escape', label: 'Stop drawing, or deselect', group },
  { keys: 'Click', label: 'Select a drawing', group },
  { keys: '← → ↑ ↓', label: 'Move the selected drawing by a bar or a tick (Shift: ten ticks)', group },
  { keys: 'Delete', label: 'Delete the selected drawing', group },
  { keys: 'Mod+z', label: 'Undo', group },
  { keys: 'Mod+Shift+z', label: 'Redo', group },
];
