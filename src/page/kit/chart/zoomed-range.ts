import { useMemo } from 'react';
import { useNavigator, useUrlState } from '../navigation/navigation.tsx';
import { writeQuery } from '../navigation/write-query.ts';
import { wordsParam, type UrlParam } from '#model/format/url-param.ts';
import { rangeParam, type ChosenRange } from '#model/charts/range-param.ts';
import type { Zooming } from './use-zoom-report.ts';
import type { Zoom } from './zoom.ts';

interface ZoomedRange {
  readonly range: UrlParam<ChosenRange>;
  /** The sessions of the first and the last bar in view. */
  readonly zoom: UrlParam<Zoom>;
  /** Ascending. */
  readonly rangeNames: readonly string[];
}

/** A range and the part of it in view; a new range is shown whole. */
export function zoomedRange(rangeNames: readonly string[], defaultName: string): ZoomedRange {
  const range = rangeParam(rangeNames, defaultName);
  const zoom = wordsParam('zoom');
  const write: typeof range.write = (query, value) => {
    range.write(query, value);
    zoom.write(query, []);
  };
  return { range: { read: range.read, write }, zoom, rangeNames };
}

/** Keeps the part in view in the address. A drag past the first bar loads the next longer range. */
export function useZooming(params: ZoomedRange): Zooming {
  const navigator = useNavigator();
  const [range] = useUrlState(params.range);
  const [zoom, onZoom] = useUrlState(params.zoom);
  return useMemo(() => {
    const onPassStart = (inView: Zoom): void => {
      const longer = 'name' in range ? params.rangeNames[params.rangeNames.indexOf(range.name) + 1] : undefined;
      if (longer === undefined) return;
      writeQuery(navigator, (query) => {
        params.range.write(query, { name: longer });
        params.zoom.write(query, inView);
      });
    };
    return { zoom, onZoom, onPassStart };
  }, [navigator, params, range, zoom, onZoom]);
}
