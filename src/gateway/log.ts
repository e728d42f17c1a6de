import { LOG_LEVELS, type LogLevel } from './gateway-settings.ts';

export type Log = (level: LogLevel, event: string, fields?: Readonly<Record<string, unknown>>) => void;

/** One JSON object a line. Queries of private requests and secrets are never among the fields. */
export function createLog(lowest: LogLevel, write: (line: string) => void, now: () => number): Log {
  const from = LOG_LEVELS.indexOf(lowest);
  return (level, event, fields = {}) => {
    if (LOG_LEVELS.indexOf(level) < from) return;
    write(`${JSON.stringify({ time: new Date(now()).toISOString(), level, event, ...fields })}\n`);
  };
}
