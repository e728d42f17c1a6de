import type { StreamReaderParts } from '#page/client/live/stream-reader.ts';

/** What the reader of the stream needs of the browser, in a worker or in a page. */
export function createReaderParts(): StreamReaderParts {
  return {
    fetch: (target, init) => fetch(target, init),
    now: () => Date.now(),
    random: () => Math.random(),
    schedule: (ms, call) => {
      const timer = setTimeout(call, ms);
      return () => {
        clearTimeout(timer);
      };
    },
  };
}
