import { describe, expect, it } from 'vitest';
import { barAt, findAgain, moveCrosshair, pageOf, pan, reveal, wholeOf, zoom } from './view-window.ts';

describe('the crosshair', () => {
  it('reads the first bar also left of it, where its step begins, and none right of the last', () => {
    expect([-1, 0, 9, 10].map((logical) => barAt(logical, 10))).toEqual([0, 0, 9, null]);
  });

  it('starts at the last bar in either direction', () => {
    expect(moveCrosshair(null, -1, 10)).toBe(9);
    expect(moveCrosshair(null, 1, 10)).toBe(9);
  });

  it('stops at the ends', () => {
    expect(moveCrosshair(0, -1, 10)).toBe(0);
    expect(moveCrosshair(7, 100, 10)).toBe(9);
  });

  it('does not move in an empty picture', () => {
    expect(moveCrosshair(null, 1, 0)).toBeNull();
  });

  it('stays on its session when earlier ones are added, and is dropped when it is gone', () => {
    const [before, now] = [
      ['2026-11-12', '2026-11-16'],
      ['2026-11-12', '2026-11-13', '2026-11-16'],
    ];
    expect(findAgain(1, before, now)).toBe(2);
    expect(findAgain(1, now, before)).toBeNull();
    expect(findAgain(7, before, now)).toBeNull();
  });
});

describe('the view', () => {
  it('does not move while the bar is visible', () => {
    const view = { from: 2, to: 8.5 };
    expect(reveal(view, 3)).toBe(view);
  });

  it('moves as little as needed to show a bar and the interval before it, with the same width', () => {
    expect(reveal({ from: 2.5, to: 8.5 }, 1)).toEqual({ from: 0, to: 6 });
    expect(reveal({ from: 2.5, to: 8.5 }, 9)).toEqual({ from: 3.5, to: 9.5 });
  });

  it('zooms around the bar', () => {
    const view = { from: 0, to: 100 };
    const closer = zoom(view, 1, 25, 100);
    expect(closer.to - closer.from).toBeCloseTo(80);
    expect((25 - closer.from) / 80).toBeCloseTo(0.25);
    const back = zoom(closer, -1, 25, 101);
    expect(back.from).toBeCloseTo(0);
    expect(back.to).toBeCloseTo(100);
  });

  it('zooms around its middle while the bar is not visible', () => {
    const closer = zoom({ from: 12, to: 38 }, 1, 99, 100);
    expect(closer.from).toBeCloseTo(14.6);
    expect(closer.to).toBeCloseTo(35.4);
  });

  it('shows at least five bars and at most all', () => {
    expect(zoom({ from: 0, to: 5.5 }, 1, 2, 100)).toMatchObject({ from: expect.closeTo(2 - (2 / 5.5) * 5) as number });
    expect(zoom(wholeOf(10), -1, 5, 10)).toEqual(wholeOf(10));
  });

  it('stays within the range when zoomed out or moved', () => {
    expect(zoom({ from: 60, to: 99.5 }, -1, 62, 100).to).toBe(99.5);
    expect(pan({ from: 10, to: 40 }, -20, 100)).toEqual({ from: -1, to: 29 });
    expect(pan({ from: 10, to: 40 }, 5, 100)).toEqual({ from: 15, to: 45 });
  });

  it('has pages of at least one bar', () => {
    expect(pageOf({ from: 0, to: 0.4 })).toBe(1);
    expect(pageOf({ from: 0, to: 30 })).toBe(29);
  });
});
