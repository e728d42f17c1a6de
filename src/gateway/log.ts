import { LOG_LEVELS, type LogLevel } from './gateway-settings.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields given as a function are put together only where the line is written. */
export type Log = (level: LogLevel, event: string, fields?: Fields | (() => Fields)) => void;

/** One JSON object a line. Queries of private requests and secrets are never among the fields. */
export function createLog(lowest: LogLevel, write: (line: string) => void, now: () => number): Log {
  const from = LOG_LEVELS.indexOf(lowest);
  return (level, event, fields = {}) => {
    if (LOG_LEVELS.indexOf(level) < from) return;
    const told = typeof fields === 'function' ? fields() : fields;
    write(`${JSON.stringify({ time: new Date(now()).toISOString(), level, event, ...told })}\n`);
  };
}
