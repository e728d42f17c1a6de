import { useMemo } from 'react';
import type { NamedProduct } from '#domain/markets/product-directory.ts';
import { countOf } from '#domain/format/count.ts';
import { formatDay } from '#domain/format/day.ts';
import { findLatestOpenInterest } from '#domain/voi/voi-rows.ts';
import { ChartFrame } from '#ui/chart/chart-frame.tsx';
import { useZooming } from '#ui/chart/zoomed-range.ts';
import type { Picture } from '#ui/chart/picture.ts';
import { CsvButtons } from '#ui/csv-button.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { UnpublishedNote } from '#panels/unpublished-note.tsx';
import { LeftOutNote } from '#panels/invalid-rows.tsx';
import { usePictureOrigin } from '#panels/use-picture-origin.ts';
import { drawStacked, drawTotal } from './draw-volume.ts';
import type { VoiResponse } from '../use-voi.ts';
import { toVolumeBarsCsv, toVolumeCsv } from './volume-csv.ts';
import { VOLUME_PARAMS } from '../volume-params.ts';
import { UNIT_TEXTS } from './volume-text.ts';

interface VolumeChartProps {
  readonly response: VoiResponse;
  readonly products: readonly NamedProduct[];
  readonly name: string;
  readonly shown: 'total' | 'stacked';
  readonly subject: string;
}

/** The longest name of products in a file’s name. */
const LONGEST_NAME = 60;

export function VolumeChart({ response, products, name, shown, subject }: VolumeChartProps) {
  const [unit] = useUrlState(VOLUME_PARAMS.unit);
  const [selected] = useUrlState(VOLUME_PARAMS.period);
  const [scale, setScale] = useUrlState(VOLUME_PARAMS.scale);
  const [view, setView] = useUrlState(VOLUME_PARAMS.view);
  const period = shown === 'stacked' ? '1D' : selected;
  const { picture, remarks } = useMemo(
    () => (shown === 'stacked' ? drawStacked(response, products, unit) : drawTotal(response, { unit, period, scale })),
    [response, products, shown, unit, period, scale],
  );
  const latest = findLatestOpenInterest(response.value);
  const fileName = `volume-${products.length > 1 ? `${String(products.length)}-products` : name}`;
  return (
    <ChartFrame
      label={`${name}, volume and open interest in ${UNIT_TEXTS[unit]}`}
      summary={summarise(picture)}
      {...{ picture, view }}
      fileName={`volume-${toShortName(products, name)}-${shown === 'stacked' ? 'stacked' : period}`}
      origin={usePictureOrigin(response)}
      subject={`${subject} ${period}`}
      {...(shown === 'stacked' ? { scale: 'linear' } : { scale, onScale: setScale })}
      onView={setView}
      zooming={useZooming(VOLUME_PARAMS)}
      actions={
        <CsvButtons
          fileName={fileName}
          write={(form) =>
            period === '1D'
              ? toVolumeCsv(response, products, shown, form)
              : toVolumeBarsCsv(response, products, period, form)
          }
        />
      }
      remarks={
        <>
          {products.length > 1 && <span>{describeProducts(products.length, shown)}</span>}
          {remarks.map((remark) => (
            <span key={remark}>{remark}</span>
          ))}
          <span>
            Open interest: daily, published the next morning, Chicago time
            {latest === null ? '; none yet.' : `; latest ${formatDay(latest.date)}.`}
          </span>
          <UnpublishedNote rows={response.value} />
          <LeftOutNote count={response.setAside.length} />
        </>
      }
    />
  );
}

function describeProducts(count: number, shown: 'total' | 'stacked'): string {
  return shown === 'total' ? `Total of ${count} products, summed by the exchange.` : `${count} products, stacked.`;
}

function summarise({ times, timeText, readouts }: Picture): string {
  const last = times.length - 1;
  const figures = readouts.map(({ name, unit, text }) => `${name} ${text(last)} ${unit}`.trim());
  return `${times.length} bars from ${timeText(0)} to ${timeText(last)}. Latest: ${figures.join(', ')}.`;
}

function toShortName(products: readonly NamedProduct[], name: string): string {
  return name.length > LONGEST_NAME ? countOf(products.length, 'product') : name;
}
