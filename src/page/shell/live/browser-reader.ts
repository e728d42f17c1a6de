import { createStreamReader, type StreamReader } from '#page/client/live/stream-reader.ts';

/** The reader of the stream, in a worker or in a page. */
export function createBrowserReader(): StreamReader {
  return createStreamReader({
    fetch: (target, init) => fetch(target, init),
    now: () => Date.now(),
    random: () => Math.random(),
    schedule: (ms, call) => {
      const timer = setTimeout(call, ms);
      return () => {
        clearTimeout(timer);
      };
    },
  });
}
