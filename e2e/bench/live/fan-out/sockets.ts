/** Writes the same bytes to bare sockets: the least that sending them costs. */
import { createServer, type Socket } from 'node:net';
import { createDeltas } from './deltas.ts';
import { runSender } from './sender.ts';

const HEAD = 'HTTP/1.1 200 OK\r\n\r\n';
const clients = new Set<Socket>();
const nextDelta = await createDeltas();

const server = createServer((socket) => {
  clients.add(socket);
  // Any head will do, because it is not read.
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
