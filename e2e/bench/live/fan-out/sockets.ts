/** The same bytes, written to bare sockets: what sending them costs at least. */
import { createServer, type Socket } from 'node:net';
import { createDeltas } from './deltas.ts';
import { runSender } from './sender.ts';

const HEAD = 'HTTP/1.1 200 OK\r\n\r\n';
const clients = new Set<Socket>();
const nextDelta = await createDeltas();

const server = createServer((socket) => {
  clients.add(socket);
  // Any head does: nobody reads it.
  socket.once('data', () => {
    socket.resume().write(HEAD);
  });
});
runSender(server, {
  send: async (begin) => {
    const { packed } = await nextDelta();
    begin();
    for (const socket of clients) socket.write(packed);
  },
});
