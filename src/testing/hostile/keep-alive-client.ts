import { connect, type Socket } from 'node:net';
import { takeResponse, type RawResponse } from './raw-responses.ts';

/** Sends one request after the other on a connection it keeps, and opens another where the desk has ended it. */
export interface KeepAliveClient {
  /** Rejects where there is no answer in time, or none at all. */
  readonly send: (request: string, method?: string) => Promise<RawResponse>;
  readonly close: () => void;
}

const PATIENCE_MS = 5_000;

export function createKeepAliveClient(address: string): KeepAliveClient {
  const { hostname, port } = new URL(address);
  let open: Socket | null = null;
  const socketOf = (): Socket => (open?.writable === true && !open.readableEnded ? open : (open = connect({ host: hostname, port: Number(port) }).setNoDelay()));
  return {
    send: async (request, method) => {
      const socket = socketOf();
      const answer = await exchangeOn(socket, request, method);
      if (answer.headers['connection'] === 'close') {
        socket.destroy();
        open = null;
      }
      return answer;
    },
    close: () => {
      open?.destroy();
    },
  };
}

function exchangeOn(socket: Socket, request: string, method?: string): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    let received = '';
    const done = (): void => {
      clearTimeout(patience);
      socket.off('data', take).off('error', fail).off('close', end);
    };
    const fail = (error: Error): void => {
      done();
      socket.destroy();
      reject(new Error(`${error.message}: ${JSON.stringify(request)}`));
    };
    const end = (): void => {
      fail(new Error('no answer'));
    };
    const take = (chunk: Buffer): void => {
      received += chunk.toString('latin1');
      try {
        const taken = takeResponse(received, method);
        if (taken === null) return;
        // The refusal of what could not be read does not know that it was HEAD, and is the last on its connection.
        if (taken.rest !== '' && taken.answer.headers['connection'] !== 'close') throw new Error(`more than an answer: ${taken.rest.slice(0, 100)}`);
        done();
        resolve(taken.answer);
      } catch (error) {
        fail(error as Error);
      }
    };
    const patience = setTimeout(() => {
      fail(new Error('no answer in time'));
    }, PATIENCE_MS);
    socket.on('data', take).on('error', fail).on('close', end);
    socket.write(request, 'latin1');
  });
}
