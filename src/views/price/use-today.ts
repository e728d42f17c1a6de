import { useState } from 'react';
import { useDoor } from '#api/react.tsx';
import type { Day } from '#contract/day.ts';
import { createSessionCalendar } from '#domain/session.ts';

/** Date of the session in progress when the screen was opened: ranges by name are counted back from it. */
export function useToday(): Day {
  const { now } = useDoor();
  const [today] = useState(() => createSessionCalendar()(now(), { everyDay: true }));
  return today;
}
