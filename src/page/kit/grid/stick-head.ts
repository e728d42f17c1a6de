/**
 * Keeps the head of a grid that scrolls with its page in view, below a bar that sticks to the top of the page. CSS
 * cannot: such a grid scrolls sideways itself, so its head would only stick to the grid. Returns a function that ends
 * it.
 */
export function stickHead(grid: HTMLElement, bar: HTMLElement): () => void {
  const place = (): void => {
    const head = grid.querySelector<HTMLElement>('[data-part=head]');
    if (head === null) return;
    const { top, height } = grid.getBoundingClientRect();
    const offset = Math.min(bar.getBoundingClientRect().bottom - top, height - head.offsetHeight);
    head.style.translate = offset > 0 ? `0 ${String(offset)}px` : '';
  };
  // Scroll events do not bubble, but they can be captured.
  document.addEventListener('scroll', place, { capture: true, passive: true });
  return () => {
    document.removeEventListener('scroll', place, { capture: true });
  };
}
