import { pino } from 'pino';
import type { Log, LogLevel, ServerPorts } from '#server/core/ports.ts';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { uptime } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

/** Returns this machine's clock, timers, randomness and standard error, for entry files only. */
export function createRealPorts(logLevel: LogLevel | 'usual'): ServerPorts {
  const originMs = uptime() * 1_000 - performance.now();
  return {
    now: Date.now,
    elapsed: () => originMs + performance.now(),
    schedule: (milliseconds, call) => {
      const timer = setTimeout(call, milliseconds);
      return () => {
        clearTimeout(timer);
      };
    },
    pause: async (milliseconds, signal) => {
      await wait(milliseconds, undefined, { signal });
    },
    random: Math.random,
    processMetrics: createProcessMetrics(),
    end: (reason) => {
      console.error(`perpdesk: ${reason}`);
      process.exitCode = 1;
      process.kill(process.pid, 'SIGTERM');
    },
    log: createLog(logLevel === 'usual' ? usualLevel() : logLevel, (line) => process.stderr.write(line), Date.now),
  };
}

/** Returns the level of a log that a program reads, or that a person sees in a terminal. */
function usualLevel(): LogLevel {
  return process.stderr.isTTY ? 'warn' : 'info';
}

/** Ends this process after a time, unless it has ended by itself. */
export function endWithin(milliseconds: number): void {
  setTimeout(() => process.exit(1), milliseconds).unref();
}

/** Fields whose values are never logged. */
const REDACTED = ['token', 'secret', 'password', 'authorization', 'cookie', 'credential'];

/**
 * Writes one JSON object per line. Queries of private requests and secrets never reach the log.
 *
 * @internal Exported for its test.
 */
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

/** Gauges that are named like counters, which Prometheus advises against. The same numbers have other names, by type. */
const MISNAMED = ['nodejs_active_resources_total', 'nodejs_active_handles_total', 'nodejs_active_requests_total'];

/** Measures memory, processor time, event loop and garbage collection of this process, from the first call on. */
function createProcessMetrics(): () => Promise<string> {
  let registry: Registry | null = null;
  return () => {
    if (registry === null) {
      registry = new Registry();
      collectDefaultMetrics({ register: registry });
      for (const name of MISNAMED) registry.removeSingleMetric(name);
    }
    return registry.metrics();
  };
}
