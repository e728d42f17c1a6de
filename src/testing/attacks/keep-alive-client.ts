import { connect, type Socket } from 'node:net';
import { takeResponse, type RawResponse } from './raw-responses.ts';

/** Sends requests on a persistent connection, and opens a new one when the server has ended it. */
export interface KeepAliveClient {
  /** Rejects if there is no response in time. */
  readonly send: (request: string, method?: string) => Promise<RawResponse>;
  readonly close: () => void;
}

const TIMEOUT_MS = 5_000;

export function createKeepAliveClient(address: string): KeepAliveClient {
  const { hostname, port } = new URL(address);
  let open: Socket | null = null;
  const socketOf = (): Socket =>
    open?.writable === true && !open.readableEnded
      ? open
      : (open = connect({ host: hostname, port: Number(port) }).setNoDelay());
  return {
    send: async (request, method) => {
      const socket = socketOf();
      const response = await sendOn(socket, request, method);
      if (response.headers['connection'] === 'close') {
        socket.destroy();
        open = null;
      }
      return response;
    },
    close: () => {
      open?.destroy();
    },
  };
}

function sendOn(socket: Socket, request: string, method?: string): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    let received = '';
    const done = (): void => {
      clearTimeout(timer);
      socket.off('data', take).off('error', fail).off('close', end);
    };
    const fail = (error: Error): void => {
      done();
      socket.destroy();
      reject(new Error(`${error.message}: ${JSON.stringify(request)}`));
    };
    const end = (): void => {
      fail(new Error('no response'));
    };
    const take = (chunk: Buffer): void => {
      received += chunk.toString('latin1');
      try {
        const taken = takeResponse(received, method);
        if (taken === null) return;
        // The rejection of an unreadable request may have a body even for HEAD, and is the last response on its
        // connection.
        if (taken.rest !== '' && taken.response.headers['connection'] !== 'close')
          throw new Error(`more than one response: ${taken.rest.slice(0, 100)}`);
        done();
        resolve(taken.response);
      } catch (error) {
        fail(error as Error);
      }
    };
    const timer = setTimeout(() => {
      fail(new Error('no response in time'));
    }, TIMEOUT_MS);
    socket.on('data', take).on('error', fail).on('close', end);
    socket.write(request, 'latin1');
  });
}
