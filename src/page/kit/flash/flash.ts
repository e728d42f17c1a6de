const DURATION_MS = 1_200;

/**
 * Marks a changed figure once, by a tint and an arrow that fade. The element has `data-flashes`, which lays out both
 * beforehand: only their opacity is animated, without any layout. Null where nothing is to be seen: no figure before or
 * now, the same one, or the user wants no motion.
 */
export function flash(element: HTMLElement, before: number | null, now: number | null): Animation | null {
  if (before === null || now === null || before === now || matchMedia('(prefers-reduced-motion: reduce)').matches)
    return null;
  element.dataset['flash'] = now > before ? 'up' : 'down';
  return element.animate(
    { opacity: [1, 1, 0] },
    { duration: DURATION_MS, easing: 'ease-out', pseudoElement: '::after' },
  );
}
