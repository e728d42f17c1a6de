import { useMemo, useState } from 'react';
import { ShowAll } from '../show-all.tsx';
import { Table, type Column } from '../table.tsx';
import { BarTime } from './bar-time.tsx';
import styles from './chart.module.css';
import type { Picture } from '#model/charts/picture.ts';

/** More than anyone reads at once, and fast to render. */
const FIRST_ROWS = 250;

/** The figures of the picture, newest first. */
export function ChartTable({ picture, label }: { readonly picture: Picture; readonly label: string }) {
  const [all, setAll] = useState(false);
  const { times } = picture;
  const columns = useMemo(() => toColumns(picture), [picture]);
  const rows = useMemo(() => times.map((_, index) => times.length - 1 - index), [times]);
  const shown = all ? rows : rows.slice(0, FIRST_ROWS);
  return (
    <>
      <Table caption={label} columns={columns} rows={shown} keyOf={(index) => String(times[index] ?? index)} />
      {shown.length < rows.length && (
        <ShowAll
          className={styles['more']}
          onShow={() => {
            setAll(true);
          }}
        >
          The newest {shown.length} of {rows.length}.
        </ShowAll>
      )}
    </>
  );
}

function toColumns(picture: Picture): readonly Column<number>[] {
  const { timeName, readouts } = picture;
  return [
    { name: timeName, pinned: 'start', cell: (bar) => <BarTime picture={picture} bar={bar} /> },
    ...readouts.map(({ name, unit, text }) => ({ name, unit, numeric: true, cell: text })),
  ];
}
