import { readFileSync } from 'node:fs';
import type { Step } from './steps.ts';

const TICKS_PER_SECOND = 100;

/** Seconds of all processes that this one started and that have ended; null on systems other than Linux. */
export function readProcessorSeconds(): number | null {
  try {
    // The name of the program, in parentheses, may itself contain spaces.
    const [, fields = ''] = /\) (.*)/s.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
    const [user, system] = fields.split(' ').slice(13, 15).map(Number);
    return user === undefined || system === undefined ? null : (user + system) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

/** A step that runs alone, with the processor time that it takes. */
export function withProcessorTime({ name, run }: Step): Step {
  return {
    name,
    run: async () => {
      const before = readProcessorSeconds();
      const outcome = await run();
      const after = readProcessorSeconds();
      return before === null || after === null ? outcome : { ...outcome, processorSeconds: after - before };
    },
  };
}
