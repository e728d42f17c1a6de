import { ACCESS_ACTIONS, ACCESS_ENDPOINTS, FORGERY_HEADER } from '#contract/desk/access.ts';
import { ACTION_HEADER, DESK_ACTIONS, type DeskAction } from '#contract/desk/actions.ts';
import { RULE_ENDPOINTS } from '#contract/desk/alerts.ts';
import { SAVED_ACTIONS, SAVED_ENDPOINTS } from '#contract/desk/saved.ts';
import { READ_NEEDS } from '#contract/desk/needs.ts';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { LIVE_EVENTS, LIVE_PATH } from '#contract/desk/live.ts';
import { ProblemDocument } from '#contract/desk/problems.ts';
import { toShape, type Shape } from '#contract/exchange/schema.ts';
import {
  LIVE_PARAMETERS,
  parametersOf,
  requiredOf,
  TOPIC_NAMES,
  TOPICS,
  type Topic,
  type TopicName,
} from '#contract/desk/topics.ts';
import { OIDC_TAG, toOidcPaths } from './openapi-oidc.ts';
import { PROBLEM_RESPONSES, PROBLEMS, SECURITY, SIGN_IN_SCHEMES } from './openapi-sign-in.ts';
import { toParameters } from './openapi-parameters.ts';
import { collectRows, toReference } from './openapi-schemas.ts';

const READS = { ...DESK_ENDPOINTS, ...RULE_ENDPOINTS, ...ACCESS_ENDPOINTS, ...SAVED_ENDPOINTS };

type DeskEndpointName = keyof typeof READS;

const ACTIONS: readonly (readonly [name: string, action: DeskAction])[] = Object.entries({
  ...DESK_ACTIONS,
  ...ACCESS_ACTIONS,
  ...SAVED_ACTIONS,
});
const DESK_NAMES = Object.keys(READS) as readonly DeskEndpointName[];

/** Generates an OpenAPI document of what Perpdesk serves beside the exchange's interface, from its tables. */
function createDeskDocument() {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Perpdesk',
      version: '1.0.0',
      description:
        'What Perpdesk itself composes and pushes. What Perpdesk passes through from the exchange ' +
        'is in `/openapi.json`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The Perpdesk from which this document comes.' }],
    tags: [
      { name: 'composed', description: 'Responses that Perpdesk composes.' },
      {
        name: 'actions',
        description:
          'Requests that change something in Perpdesk. Each names its action in the header ' +
          `\`${ACTION_HEADER}\`; within a session, it also sends the CSRF token in ` +
          `\`${FORGERY_HEADER}\`. No action changes anything at the exchange.`,
      },
      OIDC_TAG,
      { name: 'live', description: 'What Perpdesk pushes.' },
    ],
    security: SECURITY,
    paths: toPaths(),
    components: {
      securitySchemes: SIGN_IN_SCHEMES,
      schemas: collectRows([
        ...DESK_NAMES.map((name) => toShape(READS[name].response)),
        ...ACTIONS.flatMap(([, action]) => shapesOf(action)),
        toShape(ProblemDocument),
      ]),
      responses: PROBLEM_RESPONSES,
    },
  };
}

export function writeDeskOpenApi(): string {
  return `${JSON.stringify(createDeskDocument(), null, 2)}\n`;
}

function toPaths(): object {
  const paths: Record<string, object> = Object.fromEntries(
    DESK_NAMES.map((name) => [READS[name].path, { get: toOperation(name) }]),
  );
  for (const [name, action] of ACTIONS)
    paths[action.path] = { ...paths[action.path], [action.method.toLowerCase()]: toActionOperation(name, action) };
  return { ...paths, ...toOidcPaths(PROBLEMS), [LIVE_PATH]: { get: liveOperation() } };
}

function shapesOf({ body, response }: DeskAction): Shape[] {
  return [...(body === null ? [] : [toShape(body)]), toShape(response)];
}

function toOperation(name: DeskEndpointName): object {
  const { query, response, reuseSeconds } = READS[name];
  const shape = toShape(response);
  return {
    'operationId': name,
    'tags': ['composed'],
    'summary': shape.description ?? name,
    'parameters': toParameters({ pathParameters: {}, query }),
    'responses': {
      '200': { description: 'The response.', content: { 'application/json': { schema: toReference(shape) } } },
      ...PROBLEMS,
    },
    'x-reuse-seconds': reuseSeconds,
    'x-needs': READ_NEEDS[name],
  };
}

function toActionOperation(name: string, { summary, query, required, body, response, needs }: DeskAction): object {
  return {
    'operationId': name,
    'tags': ['actions'],
    summary,
    'parameters': [
      {
        name: ACTION_HEADER,
        in: 'header',
        required: true,
        description: 'Names the action. A page of another site cannot send this header.',
        schema: { type: 'string', enum: [name] },
        example: name,
      },
      ...toParameters({ pathParameters: {}, query }).map((parameter) => ({
        ...parameter,
        required: required.includes(parameter.name),
      })),
    ],
    ...(body !== null && {
      requestBody: { required: true, content: { 'application/json': { schema: toReference(toShape(body)) } } },
    }),
    'responses': {
      '200': {
        description: 'The action is done.',
        content: { 'application/json': { schema: toReference(toShape(response)) } },
      },
      ...PROBLEMS,
    },
    'x-needs': needs,
  };
}

const LIVE_DESCRIPTION = [
  'Server-sent events. A stream begins with a `snapshot` of each topic, or where `Last-Event-ID` ' +
    'leads; then come changes.',
  'All data are JSON, and name their `topic` as the client may: its parameters in the order of the ' +
    'table, percent-encoded.',
  'A stream that is sent nothing else is sent a comment every 10 seconds, and none lives longer than about 15 minutes.',
  'A checksum is the sum, modulo 2^32, in eight hexadecimal digits, of a number for each row as ' +
    'written and for each field beside the rows, as an object: its CRC-32, mixed as the last step of ' +
    'MurmurHash3 (32 bits) does.',
  'With `Accept-Encoding: gzip` it is compressed, event by event.',
].join(' ');

function liveOperation(): object {
  const events = Object.entries(LIVE_EVENTS).map(([name, meaning]) => `\`${name}\`: ${meaning}`);
  return {
    'operationId': 'live',
    'tags': ['live'],
    'summary': 'What changes in one or several topics, as it is read.',
    'description': LIVE_DESCRIPTION,
    'parameters': [
      ...toParameters({ pathParameters: {}, query: LIVE_PARAMETERS }).map((parameter) => ({
        ...parameter,
        required: parameter.name === 'topic',
      })),
      {
        name: 'Last-Event-ID',
        in: 'header',
        required: false,
        description: 'The last `id` that was received. Of another desk, or from too long ago, it is ignored.',
        schema: { type: 'string' },
        example: 'mC1vZ0p5d2Qx3aWb',
      },
    ],
    'responses': {
      '200': {
        description: 'The stream.',
        content: { 'text/event-stream': { schema: { type: 'string', description: events.join(' ') } } },
      },
      ...PROBLEMS,
    },
    'x-topics': Object.fromEntries(TOPIC_NAMES.map((name) => [name, describeTopic(name)])),
  };
}

function describeTopic(name: TopicName): object {
  const topic: Topic = TOPICS[name];
  const required = requiredOf(topic);
  return {
    'summary': topic.summary,
    'endpoint': topic.endpoint,
    'every-seconds': topic.everySeconds,
    'key': topic.key,
    'account': topic.account,
    'parameters': Object.keys(parametersOf(topic)).map((parameter) => ({
      name: parameter,
      required: required.includes(parameter),
    })),
  };
}
