import { useEffect, useState } from 'react';

/** The text of a field in a dialog, with what is typed before the dialog is there to take it. */
export function useTypedAhead(): readonly [text: string, setText: (text: string) => void] {
  const [text, setText] = useState('');
  useEffect(() => {
    const take = (event: KeyboardEvent): void => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      const arrives = target instanceof Element && target.closest('[role=dialog]') !== null;
      if (arrives || key.length !== 1 || ctrlKey || metaKey || altKey) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      setText((before) => before + key);
    };
    // Before the page's own keys hear of it.
    addEventListener('keydown', take, { capture: true });
    return () => {
      removeEventListener('keydown', take, { capture: true });
    };
  }, []);
  return [text, setText];
}
