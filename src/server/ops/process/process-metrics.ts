import { collectDefaultMetrics, Registry } from 'prom-client';

/** Memory, processor time, event loop and garbage collection of this process, measured from the first call on. */
export function createProcessMetrics(): () => Promise<string> {
  let registry: Registry | null = null;
  return () => {
    if (registry === null) {
      registry = new Registry();
      collectDefaultMetrics({ register: registry });
    }
    return registry.metrics();
  };
}
