import type { MailSettings } from '#server/core/channel-settings.ts';
import type { AlertEvent } from './call.ts';
import { toHeadline, toIncident, toLine, toLink, toListed, toPlainLine, type Call } from './lines.ts';

/** What a mail program shows of a subject. */
const LONGEST_SUBJECT = 150;

/** A message as nodemailer takes it. */
export interface MailMessage {
  readonly from: string;
  readonly to: string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
  readonly references: string[];
  readonly date: Date;
  readonly headers: Record<string, string>;
}

/**
 * A mail: sentences, the rule of each, and a link. All mails about one incident refer to the same message, which was never
 * sent, so that mail programs show them as one thread.
 */
export function toMail(
  call: Call,
  { from, to }: Pick<MailSettings, 'from' | 'to'>,
  deskUrl: string | null,
): MailMessage {
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const { listed, rest } = toListed(call);
  const headline = toHeadline(call);
  return {
    from,
    to: [...to],
    subject: toPlainLine(headline, LONGEST_SUBJECT),
    text: [...listed.map((event) => toText(event, deskUrl)), ...(rest === null ? [] : [`${rest}\n`])].join('\n'),
    html: `<!doctype html><html lang="en"><body>${listed.map((event) => toHtml(event, deskUrl)).join('')}${rest === null ? '' : `<p>${rest}</p>`}</body></html>`,
    messageId: `<${call.id}@${domain}>`,
    references: listed.map((event) => `<${toIncident(event)}@${domain}>`),
    date: new Date(call.madeAt),
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

function toText(event: AlertEvent, deskUrl: string | null): string {
  const link = toLink(event, deskUrl);
  return `${toLine(event)}\n${toSource(event)}\n${link === null ? '' : `${link}\n`}`;
}

function toHtml(event: AlertEvent, deskUrl: string | null): string {
  const link = toLink(event, deskUrl);
  const open = link === null ? '' : `<br><a href="${escape(link)}">Open in Perpdesk</a>`;
  return `<p><bdi>${escape(toLine(event))}</bdi><br><small><bdi>${escape(toSource(event))}</bdi></small>${open}</p>`;
}

function toSource({ ruleName, severity, at }: AlertEvent): string {
  return `${toPlainLine(ruleName, 100)}, ${severity}, ${new Date(at).toISOString()}`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
}
