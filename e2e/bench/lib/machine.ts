import { cpus, loadavg, totalmem } from 'node:os';

/** What a figure depends on besides the program. */
export interface Machine {
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  /** The load of the last minute: other work on the machine while the benchmark ran. */
  readonly load: number;
}

export function describeMachine(): Machine {
  return {
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    load: loadavg()[0] ?? 0,
  };
}
