import { type RefObject, useEffect, useRef } from 'react';

const DURATION_MS = 1_200;

/**
 * Marks a changed figure once, with a tint and an arrow that fade. The element has `data-flashes`, which lays out both
 * in advance, so that animating their opacity needs no layout. Returns null if there is nothing to show: no figure
 * before or after, no change, or a user who prefers reduced motion.
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

/** Returns the ref of an element that flashes when the figure of its subject changes, but not when the subject does. */
export function useFlash<E extends HTMLElement>(subject: string, value: number | null): RefObject<E | null> {
  const element = useRef<E>(null);
  const shown = useRef({ subject, value });
  useEffect(() => {
    const before = shown.current;
    shown.current = { subject, value };
    if (element.current !== null && before.subject === subject) flash(element.current, before.value, value);
  }, [subject, value]);
  return element;
}
