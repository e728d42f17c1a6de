import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { createHttpServer } from '#server/web/server.ts';
import { sendPlainError } from '#server/web/error-responses.ts';
import type { Log } from '#server/core/ports.ts';
import { type ControlCommands, controlSocketOf } from './call-control.ts';

export interface Control {
  /** Waits for commands in progress, because they may be using the databases. */
  readonly close: () => Promise<void>;
}

type Performers = Readonly<Record<string, ((input: unknown) => Promise<unknown>) | undefined>>;

/** Copying databases of several gigabytes takes minutes, during which nothing is sent. */
const IDLE_MS = 3_600_000;

/**
 * Performs commands for the owner of the data folder over a Unix socket in that folder. Only its owner can open the
 * socket, so it needs no password, and nothing crosses a network. Perpdesk runs without it on systems that lack such
 * sockets.
 */
export async function openControl(dataDir: string, commands: ControlCommands, log: Log): Promise<Control> {
  const socket = controlSocketOf(dataDir);
  const warn = (reason: string): Control => {
    log('warn', 'no control socket', {
      reason: `Commands such as "perpdesk backup" cannot reach this Perpdesk: ${reason}`,
    });
    return { close: () => Promise.resolve() };
  };
  if (socket === null)
    return warn(`the path of ${dataDir} is too long for a socket in it. Set DESK_DATA_DIR to a shorter one.`);
  const inProgress = new Set<Promise<void>>();
  const server = createHttpServer({
    socket,
    idleTimeoutMs: IDLE_MS,
    report: (error) => {
      log('error', 'control command failed', { reason: String(error) });
    },
    handle: (request, response) => {
      const performed = respond(request, response, commands as unknown as Performers).finally(() =>
        inProgress.delete(performed),
      );
      inProgress.add(performed);
      return performed;
    },
  });
  try {
    await server.listen();
  } catch (error) {
    return warn(`its socket ${socket} cannot be opened (${messageOf(error)}).`);
  }
  return {
    close: async () => {
      await Promise.allSettled(inProgress);
      await server.close();
    },
  };
}

async function respond(request: IncomingMessage, response: ServerResponse, performers: Performers): Promise<void> {
  const { method, url = '' } = request;
  const name = url.slice(1);
  const perform = Object.hasOwn(performers, name) ? performers[name] : undefined;
  if (perform === undefined) {
    sendPlainError(
      response,
      404,
      'The running Perpdesk does not have this command, because it is another version. Restart it, or ' +
        'use its version of the command.',
    );
    return;
  }
  if (method !== 'POST') {
    sendPlainError(response, 405, 'Send commands with POST.', { allow: 'POST' });
    return;
  }
  try {
    const input = await text(request);
    const body = JSON.stringify(await perform(input === '' ? undefined : JSON.parse(input)));
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  } catch (error) {
    sendPlainError(response, 500, messageOf(error));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
