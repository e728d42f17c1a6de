import { useMemo } from 'react';
import type { NamedProduct } from '#domain/find-product.ts';
import { formatDay } from '#domain/format-time.ts';
import { findLatestOpenInterest } from '#domain/voi.ts';
import { ChartFrame } from '#ui/chart/chart-frame.tsx';
import type { Picture } from '#ui/chart/picture.ts';
import { download } from '#ui/download.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { LeftOut } from '#ui/panel/left-out.tsx';
import { drawStacked, drawTotal } from './draw-volume.ts';
import type { VoiResponse } from '../use-voi.ts';
import { toVolumeBarsCsv, toVolumeCsv } from './volume-csv.ts';
import { VOLUME_PARAMS } from '../volume-params.ts';
import { UNIT_TEXTS } from './volume-text.ts';

interface VolumeChartProps {
  readonly answer: VoiResponse;
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
  const { picture, remarks } = useMemo(
    () => (shown === 'stacked' ? drawStacked(answer, products, unit) : drawTotal(answer, { unit, period, scale })),
    [answer, products, shown, unit, period, scale],
  );
  const latest = findLatestOpenInterest(answer.value);
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
          {remarks.map((remark) => (
            <span key={remark}>{remark}</span>
          ))}
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

function summarise({ times, timeText, readouts }: Picture): string {
  const last = times.length - 1;
  const figures = readouts.map(({ name, unit, text }) => `${name} ${text(last)} ${unit}`.trim());
  return `${times.length} bars from ${timeText(0)} to ${timeText(last)}. The last: ${figures.join(', ')}.`;
}
