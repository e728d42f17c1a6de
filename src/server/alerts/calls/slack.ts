import type { AlertEvent } from './call.ts';
import { toHeadline, toLine, toLink, toListed, toPlainLine, type Call } from './lines.ts';

/** Slack's limit of a text in a block, which escaping may reach. */
const LONGEST_TEXT = 3_000;

/** A message of Slack: the text is what its notification shows. */
export function toSlackBody(call: Call, deskUrl: string | null): string {
  const { listed, rest } = toListed(call);
  const headline = call.events.length === 1 ? [] : [section(`*${escape(toHeadline(call))}*`)];
  const others = rest === null ? [] : [{ type: 'context', elements: [mrkdwn(rest)] }];
  return JSON.stringify({
    text: escape(toHeadline(call)),
    unfurl_links: false,
    blocks: [...headline, ...listed.map((event) => section(toText(event, deskUrl))), ...others],
  });
}

function toText(event: AlertEvent, deskUrl: string | null): string {
  const link = toLink(event, deskUrl);
  const source = `_${escape(toPlainLine(event.ruleName, 100))}, ${event.severity}_`;
  // `|` and `>` would end the address.
  const open = link === null ? '' : ` · <${escape(link).replaceAll('|', '%7C')}|Open>`;
  return `${escape(toLine(event))}\n${source}${open}`;
}

/** Slack reads these three as the beginning of a link, a mention or an entity. */
function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function section(text: string): object {
  return { type: 'section', text: mrkdwn(text) };
}

function mrkdwn(text: string): object {
  return { type: 'mrkdwn', text: text.slice(0, LONGEST_TEXT), verbatim: true };
}
