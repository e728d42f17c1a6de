/**
 * Moves the focus on to the list of a screen once there is one, so that the arrow keys work at once; a list in a panel
 * is but a part of its screen. Ends as soon as the focus is elsewhere, or the screen is left.
 */
export function focusList(main: HTMLElement, left: AbortSignal): void {
  if (left.aborted) return;
  const move = (): void => {
    if (document.activeElement === main)
      main
        .querySelector<HTMLElement>(':is([role=grid], [role=treegrid])[tabindex="0"]:not(section *)')
        ?.focus({ preventScroll: true });
    if (document.activeElement !== main) observer.disconnect();
  };
  const observer = new MutationObserver(move);
  left.addEventListener('abort', () => {
    observer.disconnect();
  });
  observer.observe(main, { childList: true, subtree: true });
  move();
}
