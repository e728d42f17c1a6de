import type { IncomingMessage } from 'node:http';
import type { Problem } from '#server/core/venue-failure.ts';

/** Enough for all rules of a server at once. */
const MAX_BODY_BYTES = 1_048_576;
const JSON_TYPE = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

/** Reads a request’s body as JSON, not checked yet. */
export async function readJsonBody(
  request: IncomingMessage,
  most = MAX_BODY_BYTES,
): Promise<{ readonly value: unknown } | Problem> {
  const { headers } = request;
  if (!JSON_TYPE.test(headers['content-type'] ?? ''))
    return { type: 'body-not-json', detail: 'The body must be JSON in UTF-8, with the content type application/json.' };
  if (headers['content-encoding'] !== undefined)
    return { type: 'body-not-json', detail: 'The body must not be compressed.' };
  const bytes = await readBytes(request, most);
  if (bytes === null) return { type: 'body-too-large', detail: `A body is limited to ${String(most)} bytes.` };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return {
      type: 'bad-body',
      detail: `The body is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

/** Returns null if there are more than `most` bytes. */
export async function readBytes(request: IncomingMessage, most: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    // Read to the end: leaving the loop would close the connection before the response is sent.
    if (bytes <= most) chunks.push(chunk);
  }
  return bytes > most ? null : Buffer.concat(chunks);
}
