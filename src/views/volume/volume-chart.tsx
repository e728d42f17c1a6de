import { useMemo } from 'react';
import { PERIOD_LABELS, WHOLE_FIRST_BAR } from '#domain/bars.ts';
import type { NamedProduct } from '#domain/find-product.ts';
import { formatDay } from '#domain/format-time.ts';
import { toVoiBars, type VoiBar } from '#domain/voi-bars.ts';
import { findLatestOpenInterest } from '#domain/voi.ts';
import { ChartFrame } from '#ui/chart/chart-frame.tsx';
import type { Picture } from '#ui/chart/picture.ts';
import { withNotes } from '#ui/chart/with-notes.ts';
import { download } from '#ui/download.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { LeftOut } from '#ui/panel/left-out.tsx';
import { toStackedPicture } from './to-stacked-picture.ts';
import { findPercentBase, toTotalPicture } from './to-total-picture.ts';
import type { VoiAnswer } from './use-voi.ts';
import { toVolumeBarsCsv, toVolumeCsv } from './volume-csv.ts';
import { createStackedNotes, createTotalNotes } from './volume-notes.ts';
import { VOLUME_PARAMS } from './volume-params.ts';
import { UNIT_TEXTS } from './volume-text.ts';

interface VolumeChartProps {
  readonly answer: VoiAnswer;
  readonly products: readonly NamedProduct[];
  readonly name: string;
  readonly shown: 'total' | 'stacked';
  readonly subject: string;
}

export function VolumeChart({ answer, products, name, shown, subject }: VolumeChartProps) {
  const [unit] = useUrlState(VOLUME_PARAMS.unit);
  const [chosen] = useUrlState(VOLUME_PARAMS.period);
  const [scale, setScale] = useUrlState(VOLUME_PARAMS.scale);
  const [view, setView] = useUrlState(VOLUME_PARAMS.view);
  const period = shown === 'stacked' ? '1D' : chosen;
  const rows = answer.value;
  const bars = useMemo(() => toVoiBars(rows, period), [rows, period]);
  const base = useMemo(() => (scale === 'percent' ? findPercentBase(bars, unit) : null), [scale, bars, unit]);
  const bare = useMemo(
    () => (shown === 'stacked' ? toStackedPicture(rows, products, unit) : toTotalPicture(bars, { unit, period, base })),
    [rows, bars, products, unit, shown, period, base],
  );
  const picture = useMemo(
    () => withNotes(bare, shown === 'stacked' ? createStackedNotes(answer, products, bare.times, unit) : createTotalNotes(answer, bars, unit)),
    [bare, answer, products, bars, unit, shown],
  );
  const latest = findLatestOpenInterest(rows);
  const fileName = `volume-${products.length > 1 ? `${String(products.length)}-products` : name}`;
  return (
    <ChartFrame
      label={`${name}, volume and open interest in ${UNIT_TEXTS[unit]}`}
      summary={summarise(picture)}
      {...{ picture, view, fileName }}
      subject={`${subject} ${period}`}
      {...(shown === 'stacked' ? { scale: 'linear' } : { scale, onScale: setScale })}
      onView={setView}
      actions={
        <button
          type="button"
          onClick={() => {
            download(`${fileName}.csv`, period === '1D' ? toVolumeCsv(answer, products, shown) : toVolumeBarsCsv(answer, products, period));
          }}
        >
          CSV
        </button>
      }
      remarks={
        <>
          <span>{describe(products.length, shown)}</span>
          <span>{PERIOD_LABELS[period]}</span>
          {period !== '1D' && <span>{WHOLE_FIRST_BAR}</span>}
          {shown === 'total' && scale === 'percent' && <span>{describePercent(base)}</span>}
          <span>
            Open interest is daily, published the morning after
            {latest === null ? '; there is none yet.' : `; the last is of ${formatDay(latest.date)}.`}
          </span>
          <LeftOut count={answer.setAside.length} />
        </>
      }
    />
  );
}

function describe(count: number, shown: 'total' | 'stacked'): string {
  if (count === 1) return 'One product.';
  return shown === 'total' ? `${count} products, added up by the venue.` : `${count} products, upon each other.`;
}

function describePercent(base: VoiBar | null): string {
  const day = base?.openInterestDate ?? null;
  return day === null ? 'Open interest begins with none, which has no percent: it is drawn as it is.' : `Open interest in percent from that of ${formatDay(day)}; volume as it is.`;
}

function summarise({ times, timeText, readouts }: Picture): string {
  const last = times.length - 1;
  const figures = readouts.map(({ name, unit, text }) => `${name} ${text(last)} ${unit}`.trim());
  return `${times.length} bars from ${timeText(0)} to ${timeText(last)}. The last: ${figures.join(', ')}.`;
}
