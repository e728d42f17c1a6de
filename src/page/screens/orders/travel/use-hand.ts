import { useEffect, useEffectEvent, useState } from 'react';

/** What a hand rests on for so long is read; what it only passes is not. */
const REST_MS = 150;

/** A value that follows the hand at once, and is put where it stays once the hand rests. */
export function useHand(
  value: number,
  put: (value: number) => void,
): readonly [shown: number, move: (value: number) => void] {
  const [hand, setHand] = useState<number | null>(null);
  const rest = useEffectEvent(() => {
    if (hand === null) return;
    put(hand);
    setHand(null);
  });
  useEffect(() => {
    if (hand === null) return undefined;
    const timer = window.setTimeout(rest, REST_MS);
    return () => {
      window.clearTimeout(timer);
    };
  }, [hand]);
  return [hand ?? value, setHand];
}
