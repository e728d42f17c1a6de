import { createServer, request as sendRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface Order {
  readonly clearing_firm_code: string;
}

/**
 * Opens an exchange that lacks some orders: it passes on the responses of another one, without the orders of a firm.
 */
export async function openHidingExchange(
  address: string,
  hiddenFirm: string | null,
): Promise<{ readonly address: string; readonly close: () => Promise<void> }> {
  const isShown = ({ clearing_firm_code: firm }: Order): boolean => firm !== hiddenFirm;
  const server = createServer((request, response) => {
    const passed = sendRequest(
      new URL(request.url ?? '', address),
      { headers: { ...request.headers, 'accept-encoding': 'identity' }, agent: false },
      (found: IncomingMessage) => {
        void buffer(found).then((body) => {
          const isOrders = found.statusCode === 200 && /\/orders(?:\/working)?(?:\?|$)/.test(request.url ?? '');
          const text = isOrders ? Buffer.from(JSON.stringify(hide(JSON.parse(body.toString()), isShown))) : body;
          response.writeHead(found.statusCode ?? 502, {
            'content-type': found.headers['content-type'] ?? '',
            'content-length': text.byteLength,
          });
          response.end(text);
        });
      },
    );
    passed.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}${new URL(address).pathname}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function hide(answer: unknown, isShown: (order: Order) => boolean): unknown {
  if (Array.isArray(answer)) return (answer as readonly Order[]).filter(isShown);
  const page = answer as { readonly data: readonly Order[] };
  return { ...page, data: page.data.filter(isShown) };
}
