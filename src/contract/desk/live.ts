/** Live updates: a stream of server-sent events, `GET /api/desk/live?topic=…&topic=…`. `topics.ts` lists the topics. */

export const LIVE_PATH = '/api/desk/live';

/** Events of the stream. */
export const LIVE_EVENTS = {
  snapshot:
    'The whole response to a topic, in place of all that was received of it: `fields` beside the rows, ' +
    'and the `rows`. Where `keyed` is false, rows share keys, and changes arrive as snapshots.',
  delta:
    'Changes of the rows of one account, or of a public topic: `set` lists keys with the fields that ' +
    'changed, each in its place in the row, `added` whole rows, which replace those with the same keys, ' +
    '`gone` keys, of rows that were those of that account. It counts from the next `read` on.',
  read:
    'The topic was read at `answered_at`. All rows that changed were sent before it; `fields` are ' +
    'the fields beside the rows that changed. `row_count` and `checksum` are those of the topic as ' +
    'it then is: who has something else has lost a part on the way, and follows the topic anew as ' +
    '`fresh`. `every_seconds` is the time to the next reading as planned at present, `shared_by` the ' +
    'number of streams that share the read.',
  failed:
    'The topic could not be read; `problem` is the problem document. What was received of it is as old ' +
    'as its last `read`.',
  renew: 'The stream ends soon: open another one with `Last-Event-ID`.',
  move:
    'This desk stops, and others go on: open another stream with `Last-Event-ID` after `after_ms` milliseconds, ' +
    'which differ from stream to stream.',
} as const;

export type LiveEventName = keyof typeof LIVE_EVENTS;

/** Events about a topic; the others are about the stream. */
export type TopicEventName = Exclude<LiveEventName, 'renew' | 'move'>;
