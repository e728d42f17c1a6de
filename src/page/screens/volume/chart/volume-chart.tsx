import { useMemo } from 'react';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { countOf } from '#model/format/count.ts';
import { formatDay } from '#model/format/format-time.ts';
import { findLatestOpenInterest } from '#model/voi/voi-rows.ts';
import { ChartFrame } from '#page/kit/chart/chart-frame.tsx';
import { useZooming } from '#page/kit/chart/zoom.ts';
import type { ChartData } from '#model/charts/chart-data.ts';
import { useUrlState } from '#page/kit/navigation.tsx';
import { UnpublishedNote } from '#page/panels/unpublished-note.tsx';
import { LeftOutNote } from '#page/panels/missing-rows.tsx';
import { usePictureOrigin } from '#page/panels/use-picture-origin.ts';
import { drawStacked, drawTotal } from './draw-volume.ts';
import type { VoiResponse } from '../shared/use-voi.ts';
import { toVolumeBarsCsv, toVolumeCsv } from './volume-csv.ts';
import { VOLUME_PARAMS } from '../shared/volume-params.ts';
import { UNIT_TEXTS } from '#model/charts/volume/volume-chart.ts';

interface VolumeChartProps {
  readonly response: VoiResponse;
  readonly products: readonly NamedProduct[];
  readonly name: string;
  readonly shown: 'total' | 'stacked';
  readonly subject: string;
}

/** The longest list of product names in a file name. */
const LONGEST_NAME = 60;

export function VolumeChart({ response, products, name, shown, subject }: VolumeChartProps) {
  const [unit] = useUrlState(VOLUME_PARAMS.unit);
  const [selected] = useUrlState(VOLUME_PARAMS.period);
  const [scale, setScale] = useUrlState(VOLUME_PARAMS.scale);
  const [view, setView] = useUrlState(VOLUME_PARAMS.view);
  const period = shown === 'stacked' ? '1D' : selected;
  const { chartData, remarks } = useMemo(
    () => (shown === 'stacked' ? drawStacked(response, products, unit) : drawTotal(response, { unit, period, scale })),
    [response, products, shown, unit, period, scale],
  );
  const latest = findLatestOpenInterest(response.value);
  const fileName = `volume-${products.length > 1 ? `${String(products.length)}-products` : name}`;
  return (
    <ChartFrame
      label={`${name}, volume and open interest in ${UNIT_TEXTS[unit]}`}
      summary={summarise(chartData)}
      {...{ chartData, view }}
      fileName={`volume-${toShortName(products, name)}-${shown === 'stacked' ? 'stacked' : period}`}
      origin={usePictureOrigin(response)}
      subject={`${subject} ${period}`}
      {...(shown === 'stacked' ? { scale: 'linear' } : { scale, onScale: setScale })}
      onView={setView}
      zooming={useZooming(VOLUME_PARAMS)}
      exports={{
        fileName,
        write: (form) =>
          period === '1D'
            ? toVolumeCsv(response, products, shown, form)
            : toVolumeBarsCsv(response, products, period, form),
      }}
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
          <UnpublishedNote
            rows={response.value}
            everyDay={products.every(({ product }) => product?.type === 'perpetual')}
          />
          <LeftOutNote count={response.setAside.length} />
        </>
      }
    />
  );
}

function describeProducts(count: number, shown: 'total' | 'stacked'): string {
  return shown === 'total' ? `Total of ${count} products, summed by the exchange.` : `${count} products, stacked.`;
}

function summarise({ times, timeText, readouts }: ChartData): string {
  const last = times.length - 1;
  const figures = readouts.map(({ name, unit, text }) => `${name} ${text(last)} ${unit}`.trim());
  return `${times.length} bars from ${timeText(0)} to ${timeText(last)}. Latest: ${figures.join(', ')}.`;
}

function toShortName(products: readonly NamedProduct[], name: string): string {
  return name.length > LONGEST_NAME ? countOf(products.length, 'product') : name;
}
