import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { flash } from './flash.ts';

/** An element that flashes when the figure of its subject changes: not at first, and not when it shows another subject. */
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
