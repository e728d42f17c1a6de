import type { Gateway } from './create-gateway.ts';
import type { Handler } from './handler.ts';

/** The gateway's paths to the gateway, every other to the app. */
export function withApp(gateway: Pick<Gateway, 'handle' | 'isOurs'>, app: Handler): Handler {
  return (request, response) => (gateway.isOurs(request) ? gateway.handle(request, response) : app(request, response));
}
