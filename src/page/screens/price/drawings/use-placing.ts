import { useEffect, useState } from 'react';
import {
  type Anchor,
  describeAnchor,
  describeDrawing,
  type Drawing,
  type DrawingKind,
  findDrawingMistake,
  inOrder,
  KIND_NAMES,
  MOST_DRAWINGS,
  POINTS_OF,
} from '#model/charts/drawings/drawing.ts';
import type { DatedBars } from '#model/charts/drawings/move-drawing.ts';
import { barOf } from '#model/charts/drawings/place-drawings.ts';
import type { PriceData } from '#model/charts/price/price-data.ts';
import { type TakeKey, useChartTools } from '#page/kit/chart/chart-frame.tsx';
import { useAnnounce } from '#page/kit/live-region.tsx';
import type { DrawMode } from '../shared/draw-mode.ts';
import { type Painter, toPainted } from './painter.ts';
import { createDrawingId, type Drawings } from './use-drawings.ts';
import type { Preview } from './use-layer.ts';
import { usePointing } from './use-pointing.ts';

export interface PlacingOptions {
  readonly data: PriceData;
  readonly drawings: Drawings;
  readonly mode: DrawMode;
  readonly setMode: (mode: DrawMode) => void;
  readonly bars: DatedBars;
  readonly painter: Painter;
  readonly preview: Preview;
  /** Takes keys while nothing is being drawn. */
  readonly takeKey: TakeKey;
}

interface Placing {
  readonly isDrawing: boolean;
  /** What to do next, or why the last step was refused; null if nothing is being drawn, or a form says it. */
  readonly said: string | null;
  /** Where a note is that has no words yet. */
  readonly noteAt: Anchor | null;
  readonly writeNote: (text: string) => void;
  readonly cancel: () => void;
}

/** Places drawings, point by point. Each step is announced. */
export function usePlacing(options: PlacingOptions): Placing {
  const { data, drawings, mode, setMode, bars, painter, preview, takeKey } = options;
  const { stageRef } = useChartTools();
  const announce = useAnnounce();
  const tool = mode === 'list' ? null : mode;
  const [first, setFirst] = useState<Anchor | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const { tickSize } = painter;
  const isWriting = tool === 'note' && first !== null;
  const instruction = tool === null || isWriting ? null : toInstruction(tool, first, tickSize);

  const end = (said: string): void => {
    setMode(null);
    announce(said);
    stageRef.current?.focus();
  };
  const cancel = (): void => {
    end('Drawing cancelled.');
  };
  const refuse = (reason: string): void => {
    setRefused(reason);
    announce(reason);
  };
  const add = (drawing: Omit<Drawing, 'id'>): void => {
    const mistake = findDrawingMistake(drawing);
    if (mistake !== null) {
      refuse(mistake);
      return;
    }
    const added = { ...drawing, id: createDrawingId() };
    drawings.change([...drawings.list, added], added.id);
    const figures = added.kind === 'measure' ? painter.describe(added.points) : [];
    end([describeDrawing(added, tickSize), ...figures].join(', '));
  };
  const show = (kind: DrawingKind, points: readonly Anchor[]): void => {
    const drawing = { id: '', kind, points: inOrder(points), text: '' };
    preview(toPainted({ drawing, bars: drawing.points.map(({ date }) => barOf(date, bars)) }, painter));
  };
  const place = (at: Anchor): void => {
    if (tool === null || isWriting) return;
    if (drawings.list.length >= MOST_DRAWINGS) {
      refuse(`A product has at most ${String(MOST_DRAWINGS)} drawings. Delete some first.`);
      return;
    }
    setRefused(null);
    const points = first === null ? [at] : [first, at];
    if (tool !== 'note' && points.length === POINTS_OF[tool]) add({ kind: tool, points: inOrder(points), text: '' });
    else {
      setFirst(at);
      show(tool, [at]);
    }
  };
  const showPoint = (at: Anchor): void => {
    if (tool !== null && first !== null && POINTS_OF[tool] > 1) show(tool, [first, at]);
  };
  usePointing({
    ...{ data, drawings, painter, bars, takeKey, place, showPoint, cancel, refuse },
    isDrawing: tool !== null,
  });

  useEffect(() => {
    if (tool !== null) stageRef.current?.focus();
    return () => {
      preview(null);
    };
  }, [stageRef, tool, preview]);
  useEffect(() => {
    if (instruction !== null) announce(instruction);
  }, [announce, instruction]);

  return {
    isDrawing: tool !== null,
    said: refused ?? instruction,
    noteAt: tool === 'note' ? first : null,
    writeNote: (text) => {
      if (first !== null) add({ kind: 'note', points: [first], text });
    },
    cancel,
  };
}

function toInstruction(tool: DrawingKind, first: Anchor | null, tickSize: number): string {
  const name = KIND_NAMES[tool];
  const which = first === null ? (POINTS_OF[tool] === 1 ? 'a point' : 'the first point') : 'the second point';
  const from = first === null ? '' : ` from ${describeAnchor(first, tickSize)}`;
  return `${name}${from}: click ${which}, or move with the arrow keys (Shift: ten ticks) and press Enter.`;
}
