import { useState } from 'react';
import { useDoor } from '#api/react.tsx';
import type { Day } from '#contract/day.ts';

/** The date in UTC when the screen was opened: it says how far back to ask, and where a chosen range may end. */
export function useToday(): Day {
  const { now } = useDoor();
  const [today] = useState(() => new Date(now()).toISOString().slice(0, 10) as Day);
  return today;
}
