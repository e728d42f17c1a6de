import type { ISeriesPrimitive, SeriesAttachedParameter } from 'lightweight-charts';

/** Custom drawing over a series, updated along with it. */
export interface Layer<Content> {
  readonly primitive: ISeriesPrimitive;
  readonly show: (content: Content) => void;
}

type Renderer = NonNullable<ReturnType<ReturnType<NonNullable<ISeriesPrimitive['paneViews']>>[number]['renderer']>>;
type Target = Parameters<Renderer['draw']>[0];
export type Canvas = Parameters<Parameters<Target['useMediaCoordinateSpace']>[0]>[0];
export type Attached = Pick<SeriesAttachedParameter, 'chart' | 'series' | 'requestUpdate'>;

export function createLayer<Content>(
  draw: (canvas: Canvas, attached: Attached, content: Content) => void,
): Layer<Content> {
  let attached: Attached | null = null;
  let content: Content | null = null;
  const renderer: Renderer = {
    draw: (target) => {
      target.useMediaCoordinateSpace((canvas) => {
        if (attached !== null && content !== null) draw(canvas, attached, content);
      });
    },
  };
  const views = [{ renderer: () => renderer }];
  return {
    primitive: {
      attached: (to: SeriesAttachedParameter) => {
        attached = to;
      },
      paneViews: () => views,
    },
    show: (next) => {
      content = next;
      attached?.requestUpdate();
    },
  };
}
