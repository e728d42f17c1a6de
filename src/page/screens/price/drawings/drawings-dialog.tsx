import { useState } from 'react';
import {
  type Anchor,
  describeDrawing,
  type Drawing,
  findDrawingMistake,
  formatTicks,
  inOrder,
  KIND_NAMES,
  readTicks,
} from '#model/charts/drawings/drawing.ts';
import { mergeDrawings, readDrawings, writeDrawings } from '#model/charts/drawings/drawings-file.ts';
import { readDay } from '#model/format/format-time.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { download } from '#page/kit/download.ts';
import { TextField } from '#page/kit/field.tsx';
import { ImportFile } from '#page/kit/import-file.tsx';
import { LazyDialog } from '#page/kit/lazy.tsx';
import { useAnnounced } from '#page/kit/live-region.tsx';
import { SavedNote } from '#page/kit/saved-note.tsx';
import type { DescribeMeasure } from './painter.ts';
import type { Drawings } from './use-drawings.ts';
import styles from './drawings.module.css';

interface DrawingsDialogProps {
  readonly named: NamedProduct;
  /** Under which the drawings are kept. */
  readonly savedName: string;
  readonly drawings: Drawings;
  readonly tickSize: number;
  readonly describe: DescribeMeasure;
  /** Selects a drawing in the chart, where keys move it. */
  readonly select: (id: string) => void;
  readonly close: () => void;
}

/** All drawings of a product in words, to be changed, deleted, saved to a file and read from one. */
export function DrawingsDialog(props: DrawingsDialogProps) {
  const { named, savedName, drawings, tickSize, describe, select, close } = props;
  const { list, change, undo, redo, canUndo, canRedo } = drawings;
  const [edited, setEdited] = useState<string | null>(null);
  return (
    <LazyDialog title={`Drawings on ${named.name} (${String(list.length)})`} close={close}>
      <ul className={styles['lines']} aria-label="Drawings">
        {list.map((drawing, place) => (
          <li key={drawing.id}>
            {edited === drawing.id ? (
              <DrawingForm
                {...{ drawing, tickSize }}
                save={(next) => {
                  change(list.with(place, next), next.id);
                  setEdited(null);
                }}
                cancel={() => {
                  setEdited(null);
                }}
              />
            ) : (
              <DrawingLine
                {...{ drawing, tickSize, describe }}
                select={() => {
                  select(drawing.id);
                }}
                edit={() => {
                  setEdited(drawing.id);
                }}
                remove={() => {
                  change(list.toSpliced(place, 1));
                }}
              />
            )}
          </li>
        ))}
      </ul>
      {list.length === 0 ? (
        <p className={styles['row']}>No drawings. Choose a kind in the menu Draw, then click in the chart.</p>
      ) : (
        <SavedNote name={savedName} className={styles['row']} />
      )}
      <div className={styles['row']}>
        <button type="button" disabled={!canUndo} onClick={undo}>
          Undo
        </button>
        <button type="button" disabled={!canRedo} onClick={redo}>
          Redo
        </button>
        <button
          type="button"
          disabled={list.length === 0}
          onClick={() => {
            change([]);
          }}
        >
          Delete all
        </button>
      </div>
      <DrawingFiles {...{ named, drawings }} />
    </LazyDialog>
  );
}

interface DrawingLineProps {
  readonly drawing: Drawing;
  readonly tickSize: number;
  readonly describe: DescribeMeasure;
  readonly select: () => void;
  readonly edit: () => void;
  readonly remove: () => void;
}

function DrawingLine({ drawing, tickSize, describe, select, edit, remove }: DrawingLineProps) {
  const words = describeDrawing(drawing, tickSize);
  return (
    <>
      <span className={styles['words']}>
        {words}
        {drawing.kind === 'measure' && <small>{describe(drawing.points).join(' · ')}</small>}
      </span>
      <button type="button" aria-label={`Select in chart: ${words}`} onClick={select}>
        Select
      </button>
      <button type="button" aria-label={`Edit: ${words}`} onClick={edit}>
        Edit
      </button>
      <button type="button" aria-label={`Delete: ${words}`} onClick={remove}>
        Delete
      </button>
    </>
  );
}

interface WrittenPoint {
  readonly date: string;
  readonly price: string;
}

interface DrawingFormProps {
  readonly drawing: Drawing;
  readonly tickSize: number;
  readonly save: (drawing: Drawing) => void;
  readonly cancel: () => void;
}

/** Changes prices, dates and words of a drawing. Mistakes are named when it is saved. */
function DrawingForm({ drawing, tickSize, save, cancel }: DrawingFormProps) {
  const { kind, points } = drawing;
  const [written, setWritten] = useState<readonly WrittenPoint[]>(() =>
    points.map(({ date, ticks }) => ({ date, price: formatTicks(ticks, tickSize) })),
  );
  const [text, setText] = useState(drawing.text);
  const [mistake, setMistake] = useState<string | null>(null);
  useAnnounced(mistake);
  const write = (place: number, part: Partial<WrittenPoint>): void => {
    setWritten(written.map((point, index) => (index === place ? { ...point, ...part } : point)));
  };
  const submit = (): void => {
    const read = written.map((point) => readPoint(point, tickSize));
    const wrong = read.find((each) => typeof each === 'string');
    const next = { ...drawing, points: inOrder(read.filter((each) => typeof each !== 'string')), text: text.trim() };
    const found = wrong ?? findDrawingMistake(next);
    setMistake(found);
    if (found === null) save(next);
  };
  return (
    <form
      className={styles['form']}
      aria-label={`Edit ${KIND_NAMES[kind].toLowerCase()}`}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {written.map(({ date, price }, place) => (
        <span key={place} className={styles['point']}>
          {kind !== 'level' && (
            <TextField
              label={`Date${written.length > 1 ? ` ${String(place + 1)}` : ''}`}
              value={date}
              onChange={(next) => {
                write(place, { date: next });
              }}
            />
          )}
          <TextField
            label={`Price${written.length > 1 ? ` ${String(place + 1)}` : ''} in USD`}
            value={price}
            onChange={(next) => {
              write(place, { price: next });
            }}
          />
        </span>
      ))}
      {kind === 'note' && <TextField label="Note" value={text} onChange={setText} />}
      <button type="submit">Save</button>
      <button type="button" onClick={cancel}>
        Cancel
      </button>
      {mistake !== null && <p className={styles['mistake']}>{mistake}</p>}
    </form>
  );
}

function readPoint({ date, price }: WrittenPoint, tickSize: number): Anchor | string {
  const day = readDay(date);
  const ticks = readTicks(price, tickSize);
  if (day === null) return `“${date}” is not a date. Write it as 2026-08-16.`;
  return ticks === null ? `“${price}” is not a price in whole ticks of ${String(tickSize)} USD.` : { date: day, ticks };
}

function DrawingFiles({ named, drawings: { list, change } }: Pick<DrawingsDialogProps, 'named' | 'drawings'>) {
  const [refused, setRefused] = useState<string | null>(null);
  useAnnounced(refused);
  const read = (text: string): void => {
    const found = readDrawings(text, named.name);
    const merged = 'drawings' in found ? mergeDrawings(list, found.drawings) : found;
    setRefused('problem' in merged ? `Nothing was imported. ${merged.problem}` : null);
    if ('drawings' in merged) change(merged.drawings);
  };
  return (
    <div className={styles['row']}>
      <button
        type="button"
        disabled={list.length === 0}
        onClick={() => {
          download(`perpdesk-drawings-${named.name}.json`, writeDrawings(list, named.name), 'application/json');
        }}
      >
        Export to file
      </button>
      <ImportFile read={read} />
      {refused !== null && <p className={styles['mistake']}>{refused}</p>}
    </div>
  );
}
