import { createStreamReader, type StreamReader } from '#page/client/live/stream-reader.ts';

/** Creates the reader of the stream, for use in a worker or in a page. */
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
