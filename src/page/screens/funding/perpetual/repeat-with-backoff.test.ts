import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { repeatWithBackoff } from './use-perpetual-queries.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function createPage() {
  const events = new EventTarget();
  const page = {
    hidden: false,
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
  };
  const setHidden = (hidden: boolean): void => {
    page.hidden = hidden;
    events.dispatchEvent(new Event('visibilitychange'));
  };
  return { page: page as Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>, setHidden };
}

it('repeats after growing pauses and then gives up', () => {
  const times: number[] = [];
  const start = Date.now();
  repeatWithBackoff(() => times.push(Date.now() - start), createPage().page);
  vi.advanceTimersByTime(86_400_000);
  expect(times).toEqual([0, 4_000, 12_000, 28_000, 60_000]);
});

it('does nothing while the page is hidden, and goes on when it is visible again', () => {
  const act = vi.fn();
  const { page, setHidden } = createPage();
  repeatWithBackoff(act, page);
  setHidden(true);
  vi.advanceTimersByTime(600_000);
  expect(act).toHaveBeenCalledOnce();
  setHidden(false);
  expect(act).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(600_000);
  expect(act).toHaveBeenCalledTimes(5);
  setHidden(true);
  setHidden(false);
  expect(act).toHaveBeenCalledTimes(5);
});

it('does not act early when the page is hidden and shown within a pause', () => {
  const act = vi.fn();
  const { page, setHidden } = createPage();
  repeatWithBackoff(act, page);
  setHidden(true);
  setHidden(false);
  expect(act).toHaveBeenCalledOnce();
});

it('stops', () => {
  const act = vi.fn();
  const { page, setHidden } = createPage();
  repeatWithBackoff(act, page)();
  setHidden(true);
  setHidden(false);
  vi.advanceTimersByTime(600_000);
  expect(act).toHaveBeenCalledOnce();
});
