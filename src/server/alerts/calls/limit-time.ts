import type { Schedule } from '#server/core/ports.ts';

/** A signal that aborts with another one, or when the time is over; `cancel` stops the clock. */
export function limitTime(
  signal: AbortSignal,
  milliseconds: number,
  schedule: Schedule,
): { readonly signal: AbortSignal; readonly cancel: () => void } {
  const late = new AbortController();
  const cancel = schedule(milliseconds, () => {
    late.abort(new DOMException('It did not respond in time.', 'TimeoutError'));
  });
  return { signal: AbortSignal.any([signal, late.signal]), cancel };
}
