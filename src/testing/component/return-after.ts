import { vi } from 'vitest';

/** Returns to the page after a while: data that are due are then read again. */
export function returnAfter(milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds);
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
}
