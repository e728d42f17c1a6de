const PAUSES_MS = [4_000, 8_000, 16_000, 32_000] as const;

type Page = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>;

/** Acts at once and after each of a few growing pauses, never while the page is hidden. Returns what stops it. */
export function repeatWithBackoff(act: () => void, page: Page): () => void {
  let done = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const next = (): void => {
    timer = undefined;
    if (page.hidden) return;
    act();
    const pause = PAUSES_MS[done];
    done += 1;
    if (pause !== undefined) timer = setTimeout(next, pause);
  };
  const resume = (): void => {
    if (timer === undefined && done <= PAUSES_MS.length) next();
  };
  page.addEventListener('visibilitychange', resume);
  next();
  return () => {
    clearTimeout(timer);
    page.removeEventListener('visibilitychange', resume);
  };
}
