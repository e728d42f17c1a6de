import { expect, test, vi } from 'vitest';
import { createCrosshair, resetView, wheelOnChart } from './chart-input.ts';
import { wholeOf } from './view-window.ts';

test('the wheel zooms around the crosshair; where the page needs it for scrolling, only with Control or Command; sideways it pans', () => {
  const setView = vi.fn();
  const chart = {
    view: () => ({ from: 40, to: 60 }),
    setView,
    isSet: () => true,
    onMove: vi.fn(),
    fitValues: vi.fn(),
    point: vi.fn(),
    level: vi.fn(),
    placeAt: vi.fn(),
    addLayer: vi.fn(),
    colorOf: vi.fn(),
    toCanvas: vi.fn(),
  };
  const crosshair = createCrosshair();
  crosshair.set(50);
  const turn = (more: object, zooms = false) =>
    wheelOnChart(
      { ctrlKey: false, metaKey: false, deltaX: 0, deltaY: 0, deltaMode: 0, ...more },
      { chart, crosshair, count: 100 },
      { width: 1_000, zooms },
    );
  expect(turn({ deltaY: 300 })).toBe(false);
  expect(turn({ deltaX: 20, deltaY: 20 })).toBe(false);
  expect(setView).not.toHaveBeenCalled();
  expect(turn({ ctrlKey: true, deltaY: -300 })).toBe(true);
  expect(setView).toHaveBeenLastCalledWith({ from: 42, to: 58 });
  expect(turn({ metaKey: true, deltaY: 3, deltaMode: 1 })).toBe(true);
  expect(setView).toHaveBeenLastCalledWith({ from: 37.5, to: 62.5 });
  expect(turn({ deltaY: -300 }, true)).toBe(true);
  expect(setView).toHaveBeenLastCalledWith({ from: 42, to: 58 });
  expect(turn({ deltaX: 100 }, true)).toBe(true);
  expect(setView).toHaveBeenLastCalledWith({ from: 42, to: 62 });
  expect(turn({ deltaX: 100 })).toBe(true);
  expect(setView).toHaveBeenLastCalledWith({ from: 42, to: 62 });
});

test('a reset shows all bars, fits the axes and hides the crosshair', () => {
  const chart = {
    view: () => ({ from: 2, to: 7 }),
    setView: vi.fn(),
    isSet: () => true,
    onMove: vi.fn(),
    fitValues: vi.fn(),
    point: vi.fn(),
    level: vi.fn(),
    placeAt: vi.fn(),
    addLayer: vi.fn(),
    colorOf: vi.fn(),
    toCanvas: vi.fn(),
  };
  const crosshair = createCrosshair();
  crosshair.set(3);
  resetView({ chart, crosshair, count: 10 });
  expect(chart.setView).toHaveBeenCalledWith(wholeOf(10));
  expect(chart.fitValues).toHaveBeenCalledOnce();
  expect(crosshair.read()).toBeNull();
});
