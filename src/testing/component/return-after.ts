import { vi } from 'vitest';

/** The reader comes back to the page after a while: what is due by then is read again. */
export function returnAfter(milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds);
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
}
