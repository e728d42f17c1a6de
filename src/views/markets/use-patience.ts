import { useEffect, useState } from 'react';

const PATIENCE_MS = 400;

/** True until a moment after something began: what else comes by then need not be drawn by itself. */
export function usePatience(hasBegun: boolean): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!hasBegun) return undefined;
    const timer = setTimeout(() => {
      setOver(true);
    }, PATIENCE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [hasBegun]);
  return !isOver;
}
