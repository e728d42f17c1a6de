import { createStreamReader } from '#page/client/live/stream-reader.ts';
import type { FromReader, ToReader } from '#page/client/live/protocol.ts';
import { createReaderParts } from './reader-parts.ts';

/** Runs once for all pages of a browser: however many are open, there is one stream. */
const reader = createStreamReader(createReaderParts());

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port === undefined) return;
  const receive = reader.connect((message: FromReader) => {
    port.postMessage(message);
  });
  port.addEventListener('message', ({ data }: MessageEvent<ToReader>) => {
    receive(data);
  });
  port.start();
});
