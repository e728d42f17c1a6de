import { useState } from 'react';
import { useDoor } from '#api/react.tsx';
import type { Day } from '#contract/day.ts';
import { toUtcDay } from '#domain/chosen-range.ts';

/** The date in UTC when the screen was opened: ranges by name are counted back from it. */
export function useToday(): Day {
  const { now } = useDoor();
  const [today] = useState(() => toUtcDay(now()));
  return today;
}
