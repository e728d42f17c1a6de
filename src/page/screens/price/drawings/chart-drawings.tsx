import { type ReactNode, useMemo, useRef } from 'react';
import { describeAnchor, describeDrawing } from '#model/charts/drawings/drawing.ts';
import type { Shape } from '#model/charts/drawings/find-hit.ts';
import { placeDrawings } from '#model/charts/drawings/place-drawings.ts';
import type { PriceData } from '#model/charts/price/price-data.ts';
import { countOf } from '#model/format/count.ts';
import type { SettledBar } from '#model/price/bars.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { useChartTools } from '#page/kit/chart/chart-frame.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import type { DrawMode, DrawnText } from '../shared/draw-mode.ts';
import { DrawingsDialog } from './drawings-dialog.tsx';
import { NoteForm } from './note-form.tsx';
import { createPainter, toBars, toPainted } from './painter.ts';
import { type Drawings, useDrawings } from './use-drawings.ts';
import { useLayer } from './use-layer.ts';
import { type PlacingOptions, usePlacing } from './use-placing.ts';
import { useSelecting } from './use-selecting.ts';
import styles from './drawings.module.css';

interface ChartDrawingsProps {
  readonly named: NamedProduct;
  readonly stored: DrawnText;
  readonly mode: DrawMode;
  readonly setMode: (mode: DrawMode) => void;
  readonly data: PriceData;
  /** The base of a percent scale. */
  readonly base: SettledBar | null;
  /** In USD; null if no prices confirm it. */
  readonly tickSize: number | null;
}

const NO_TICKS = 'Drawings are kept in whole ticks, and no tick size of this product is confirmed by its prices.';

/** The drawings of a product over its chart, and what places them. */
export function ChartDrawings({ tickSize, stored, mode, setMode, ...props }: ChartDrawingsProps) {
  const drawings = useDrawings(stored, props.named);
  const count = drawings.list.length;
  const problem =
    tickSize === null
      ? `${NO_TICKS} ${mode === null ? `${countOf(count, 'drawing')} not shown.` : 'Nothing can be drawn.'}`
      : drawings.problem === null
        ? null
        : `Drawings are not shown and not changed. ${drawings.problem}`;
  useAnnounced(mode === null ? null : problem);
  if (problem !== null && (mode !== null || count > 0 || drawings.problem !== null))
    return (
      <p className={styles['line']} role="note">
        {problem}{' '}
        {mode !== null && (
          <button
            type="button"
            onClick={() => {
              setMode(null);
            }}
          >
            Close
          </button>
        )}
      </p>
    );
  return tickSize !== null && <Drawn {...props} {...{ tickSize, drawings, mode, setMode }} savedName={stored.name} />;
}

interface DrawnProps extends Omit<ChartDrawingsProps, 'stored' | 'tickSize'> {
  readonly tickSize: number;
  readonly drawings: Drawings;
  /** Under which the drawings are kept. */
  readonly savedName: string;
}

function Drawn({ named, data, base, tickSize, drawings, savedName, mode, setMode }: DrawnProps) {
  const { chart, stageRef } = useChartTools();
  const bars = useMemo(() => toBars(data, named), [data, named]);
  const painter = useMemo(() => createPainter({ data, base, tickSize, bars }), [data, base, tickSize, bars]);
  const shapesRef = useRef<readonly Shape[]>([]);
  const { list, marked, takeKey, selected, select, remove } = useSelecting({
    drawings,
    bars,
    painter,
    mode,
    shapesRef,
  });
  const { placed, outside } = useMemo(() => placeDrawings(list, bars), [list, bars]);
  const painted = useMemo(() => placed.map((each) => toPainted(each, painter)), [placed, painter]);
  const preview = useLayer(chart, { drawings: painted, marked, shapesRef });
  return (
    <>
      <Placing key={mode} {...{ data, drawings, mode, setMode, bars, painter, preview, takeKey, outside }}>
        {mode === null && selected !== null && (
          <>
            <p>{describeDrawing(selected, tickSize)}</p>
            <button type="button" onClick={remove}>
              Delete
            </button>
          </>
        )}
      </Placing>
      {mode === 'list' && (
        <DrawingsDialog
          {...{ named, savedName, drawings, tickSize, describe: painter.describe }}
          select={(id) => {
            select(id);
            setMode(null);
            stageRef.current?.focus();
          }}
          close={() => {
            setMode(null);
          }}
        />
      )}
    </>
  );
}

interface PlacingProps extends PlacingOptions {
  /** How many drawings are not among the bars. */
  readonly outside: number;
  /** What is said of the selected drawing, if there is one. */
  readonly children: ReactNode;
}

/** The line over the chart: what to do next, and what is not shown. Each kind of drawing begins anew. */
function Placing({ outside, children, ...options }: PlacingProps) {
  const { isDrawing, said, noteAt, writeNote, cancel } = usePlacing(options);
  if (!isDrawing && outside === 0 && children === false) return null;
  return (
    <div className={styles['line']}>
      {children}
      {said !== null && <p>{said}</p>}
      {isDrawing && noteAt === null && (
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      )}
      {noteAt !== null && (
        <NoteForm
          label={`Note on ${describeAnchor(noteAt, options.painter.tickSize)}`}
          save={writeNote}
          cancel={cancel}
        />
      )}
      {outside > 0 && (
        <p>
          {countOf(outside, 'drawing')} {outside === 1 ? 'is' : 'are'} outside of these bars.
        </p>
      )}
    </div>
  );
}
