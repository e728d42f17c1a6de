import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { type Anchor, describeDrawing, type Drawing, findDrawingMistake } from '#model/charts/drawings/drawing.ts';
import { findHit, type Point, type Shape } from '#model/charts/drawings/find-hit.ts';
import { type DatedBars, moveDrawing, toMovement } from '#model/charts/drawings/move-drawing.ts';
import { type TakeKey, useChartTools } from '#page/kit/chart/chart-frame.tsx';
import { useAnnounce } from '#page/kit/live-region.tsx';
import type { DrawMode } from '../shared/draw-mode.ts';
import type { Marked } from './draw-layer.ts';
import { listenToDrags } from './listen-to-drags.ts';
import type { Painter } from './painter.ts';
import type { Drawings } from './use-drawings.ts';

interface SelectingOptions {
  readonly drawings: Drawings;
  readonly bars: DatedBars;
  readonly painter: Painter;
  readonly mode: DrawMode;
  /** Where the drawings lie. */
  readonly shapesRef: RefObject<readonly Shape[]>;
}

interface Selecting {
  /** The drawings, with the one that is being dragged where it is now. */
  readonly list: readonly Drawing[];
  readonly selected: Drawing | null;
  readonly marked: Marked;
  readonly select: (id: string) => void;
  readonly remove: () => void;
  readonly takeKey: TakeKey;
}

/** A drawing that the pointer holds. */
interface Held {
  readonly drawing: Drawing;
  /** Which of its points is held; null for all of it. */
  readonly place: number | null;
  readonly from: Anchor;
}

/** How far from a line a pointer still is on it. A finger is less exact. */
const REACH_PX = 6;
const TOUCH_REACH_PX = 14;

/** Selects drawings in the chart by pointer, and moves and deletes the selected one by pointer or keys. */
export function useSelecting({ drawings, bars, painter, mode, shapesRef }: SelectingOptions): Selecting {
  const { chart, stageRef } = useChartTools();
  const announce = useAnnounce();
  const [hovered, setHovered] = useState<string | null>(null);
  const [dragged, setDragged] = useState<Drawing | null>(null);
  const held = useRef<Held | null>(null);
  const { tickSize, toTicks } = painter;
  const { selected } = drawings;
  const isIdle = mode === null;

  const change = (next: Drawing): void => {
    drawings.change(replaceIn(drawings.list, next), next.id);
    announce(describeDrawing(next, tickSize));
  };
  const remove = (): void => {
    if (selected === null) return;
    drawings.change(drawings.list.filter((each) => each !== selected));
    announce(`Deleted: ${describeDrawing(selected, tickSize)}`);
    stageRef.current?.focus();
  };
  const select = (id: string | null): void => {
    const next = drawings.list.find((each) => each.id === id);
    drawings.select(id);
    if (next !== undefined && next !== selected)
      announce(`Selected: ${describeDrawing(next, tickSize)}. Arrow keys move it, Delete deletes it.`);
  };
  const letGo = (): void => {
    held.current = null;
    setDragged(null);
  };

  const find = (at: Point, isTouch: boolean): ReturnType<typeof findHit> =>
    findHit(shapesRef.current, at, {
      reach: isTouch ? TOUCH_REACH_PX : REACH_PX,
      selected: selected?.id ?? null,
    });
  const toAnchor = ([x, y]: Point): Anchor | null => {
    const place = chart.placeAt(x, y);
    const date = bars.dates[place?.bar ?? -1];
    return place === null || date === undefined ? null : { date, ticks: toTicks(place.level) };
  };
  const take = useEffectEvent((at: Point, isTouch: boolean): boolean => {
    const hit = find(at, isTouch);
    const drawing = drawings.list.find(({ id }) => id === hit?.id);
    const from = toAnchor(at);
    if (hit === null || drawing === undefined || from === null) return false;
    // A finger that swipes over a drawing scrolls the page or the chart, unless it was chosen before.
    if (isTouch && selected !== drawing) return false;
    select(drawing.id);
    held.current = { drawing, place: hit.place, from };
    return true;
  });
  const click = useEffectEvent((at: Point, isTouch: boolean): void => {
    select(find(at, isTouch)?.id ?? null);
  });
  const drag = useEffectEvent((at: Point): void => {
    const to = toAnchor(at);
    if (held.current === null || to === null) return;
    const { drawing, place, from } = held.current;
    const moved = moveDrawing(drawing, toMovement(from, to, bars), bars, place);
    if (findDrawingMistake(moved) === null) setDragged(moved);
  });
  const drop = useEffectEvent((): void => {
    if (dragged !== null) change(dragged);
    letGo();
  });
  const hover = useEffectEvent((at: Point | null): void => {
    setHovered(at === null ? null : (find(at, false)?.id ?? null));
  });
  const cancel = useEffectEvent(letGo);
  useEffect(() => {
    const element = stageRef.current;
    if (!isIdle || element === null) return undefined;
    return listenToDrags(element, {
      take: (at, isTouch) => take(at, isTouch),
      click: (at, isTouch) => {
        click(at, isTouch);
      },
      drag: (at) => {
        drag(at);
      },
      drop: () => {
        drop();
      },
      cancel: () => {
        cancel();
      },
      hover: (at) => {
        hover(at);
      },
    });
  }, [stageRef, isIdle]);
  useEffect(() => {
    const style = stageRef.current?.style;
    style?.setProperty('cursor', dragged !== null ? 'grabbing' : hovered === null ? '' : 'pointer');
  }, [stageRef, hovered, dragged]);

  const takeKey: TakeKey = ({ key, shiftKey }) => {
    if (!isIdle || selected === null) return false;
    const by = MOVES.get(key);
    if (key === 'Escape') {
      if (held.current === null) select(null);
      else letGo();
    } else if (key === 'Delete' || key === 'Backspace') remove();
    // A horizontal line has no place on the axis of time: these keys then move the crosshair.
    else if (by === undefined || (selected.kind === 'level' && by.bars !== 0)) return false;
    else change(moveDrawing(selected, { bars: by.bars, ticks: by.ticks * (shiftKey ? MANY_TICKS : 1) }, bars));
    return true;
  };
  const list = useMemo(
    () => (dragged === null ? drawings.list : replaceIn(drawings.list, dragged)),
    [drawings.list, dragged],
  );
  const selectedId = selected?.id ?? null;
  return {
    list,
    selected: list.find(({ id }) => id === selectedId) ?? null,
    marked: useMemo(() => ({ hovered, selected: selectedId }), [hovered, selectedId]),
    select,
    remove,
    takeKey,
  };
}

function replaceIn(list: readonly Drawing[], next: Drawing): readonly Drawing[] {
  return list.map((each) => (each.id === next.id ? next : each));
}

/** With Shift. */
const MANY_TICKS = 10;

const MOVES = new Map([
  ['ArrowUp', { bars: 0, ticks: 1 }],
  ['ArrowDown', { bars: 0, ticks: -1 }],
  ['ArrowLeft', { bars: -1, ticks: 0 }],
  ['ArrowRight', { bars: 1, ticks: 0 }],
]);
