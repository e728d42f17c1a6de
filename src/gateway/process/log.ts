import { LOG_LEVELS, type Log, type LogLevel } from '../ports.ts';

/** Writes one JSON object per line. Queries of private requests and secrets never reach it. */
export function createLog(lowest: LogLevel, write: (line: string) => void, now: () => number): Log {
  const from = LOG_LEVELS.indexOf(lowest);
  return (level, event, fields = {}) => {
    if (LOG_LEVELS.indexOf(level) < from) return;
    const values = typeof fields === 'function' ? fields() : fields;
    write(`${JSON.stringify({ time: new Date(now()).toISOString(), level, event, ...values })}\n`);
  };
}
