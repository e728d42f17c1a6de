import { uptime } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { GatewayPorts, LogLevel } from '#server/core/ports.ts';
import { createLog } from './log.ts';
import { createProcessMetrics } from './process-metrics.ts';

/** This machine's clock, timers, randomness and standard error: for entry files only. */
export function createRealPorts(logLevel: LogLevel): GatewayPorts {
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
    log: createLog(logLevel, (line) => process.stderr.write(line), Date.now),
  };
}
