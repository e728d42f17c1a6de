import { useEffect } from 'react';

/**
 * Lets the arrow keys enter a list at once while nothing else has the focus, as after going to its screen by keyboard.
 */
export function useArrowEntry(enter: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const { target, key, altKey, ctrlKey, metaKey, shiftKey } = event;
      const isFree = target instanceof Element && target.matches('body, main');
      if (!isFree || !/^Arrow(?:Up|Down)$/.test(key) || altKey || ctrlKey || metaKey || shiftKey) return;
      event.preventDefault();
      enter();
    };
    document.addEventListener('keydown', listen);
    return () => {
      document.removeEventListener('keydown', listen);
    };
  }, [enter]);
}
