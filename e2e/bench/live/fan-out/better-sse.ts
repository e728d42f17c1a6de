/** A library for such streams. Each has its own compressor, as with compressing middleware. */
import { createServer, type ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { constants, createGzip, type Gzip } from 'node:zlib';
import { createChannel, createSession } from 'better-sse';
import { createDeltas } from './deltas.ts';
import { runSender } from './sender.ts';

const channel = createChannel();
const compressors: Gzip[] = [];
const nextDelta = await createDeltas();

function compress(response: ServerResponse): void {
  const send = response.write.bind(response) as (chunk: unknown) => boolean;
  const gzip = createGzip();
  gzip.on('data', (chunk: Buffer) => send(chunk));
  response.setHeader('content-encoding', 'gzip');
  response.write = ((chunk: string) => gzip.write(chunk)) as ServerResponse['write'];
  compressors.push(gzip);
}

function flush(gzip: Gzip): Promise<void> {
  return new Promise((resolve) => {
    gzip.flush(constants.Z_SYNC_FLUSH, resolve);
  });
}

const server = createServer((request, response) => {
  compress(response);
  // A message that is already JSON must not be serialised again for each client.
  void createSession(request, response, { serializer: String, keepAlive: null }).then((session) => {
    channel.register(session);
  });
});
runSender(server, {
  send: async (begin) => {
    const lines = (await nextDelta()).plain.toString().split('\n');
    const data = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice('data: '.length));
    begin();
    channel.broadcast(`[${data.join(',')}]`, 'delta');
    await Promise.all(compressors.map(flush));
    await setImmediate();
  },
});
