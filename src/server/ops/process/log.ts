import { pino } from 'pino';
import type { Log, LogLevel } from '#server/core/ports.ts';

/** Names of fields whose values are never written, wherever a caller puts them. */
const REDACTED = ['token', 'secret', 'password', 'authorization', 'cookie', 'credential'];

/** Writes one JSON object per line. Queries of private requests and secrets never reach it. */
export function createLog(lowest: LogLevel, write: (line: string) => void, now: () => number): Log {
  const logger = pino(
    {
      level: lowest,
      base: null,
      messageKey: 'event',
      timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
      redact: { paths: [...REDACTED, ...REDACTED.map((name) => `*.${name}`)], censor: '[redacted]' },
    },
    { write },
  );
  return (level, event, fields = {}) => {
    if (logger.isLevelEnabled(level)) logger[level](typeof fields === 'function' ? fields() : fields, event);
  };
}
