import { ColorType, CrosshairMode, type ChartOptions, type DeepPartial } from 'lightweight-charts';
import type { Paints } from './read-inks.ts';

/** Colours and fonts of the chart; what is not named is as in the library. */
export function toChartOptions(paints: Paints): DeepPartial<ChartOptions> {
  const hair = { color: paints.text, labelBackgroundColor: paints.lineStrong };
  return {
    layout: {
      background: { type: ColorType.Solid, color: paints.background },
      textColor: paints.text,
      fontFamily: paints.fontFamily,
      fontSize: 11,
      panes: { separatorColor: paints.lineStrong, separatorHoverColor: paints.raised },
    },
    grid: { vertLines: { color: paints.line }, horzLines: { color: paints.line } },
    rightPriceScale: { borderColor: paints.line },
    timeScale: { borderColor: paints.line },
    crosshair: { mode: CrosshairMode.Normal, vertLine: hair, horzLine: hair },
  };
}

/** The library's logo is off because it adds a style that the page's policy forbids; the attribution is below the chart. */
export function toFixedOptions(reducedMotion: boolean): DeepPartial<ChartOptions> {
  return {
    autoSize: true,
    layout: { attributionLogo: false },
    rightPriceScale: { entireTextOnly: true },
    localization: { locale: 'en-GB' },
    timeScale: { minBarSpacing: 0.05, lockVisibleTimeRangeOnResize: true, timeVisible: true, secondsVisible: false },
    // A vertical swipe scrolls the page.
    handleScroll: { vertTouchDrag: false, mouseWheel: false },
    // The frame handles those turns of the wheel that are for the chart, and not for the page.
    handleScale: { mouseWheel: false },
    kineticScroll: { touch: !reducedMotion, mouse: false },
  };
}
