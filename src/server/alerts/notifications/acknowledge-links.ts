import { createSealedTexts } from '#server/core/sealed-texts.ts';
import { type AlertEvent, isOpen } from './notification.ts';

/** What a link to acknowledge is about. It is of no use for another alert, nor once the same one fires anew. */
type Incident = Pick<AlertEvent, 'ruleId' | 'group' | 'startedAt'>;

/**
 * The links in notifications that lead to the form which acknowledges an alert. Each says through which channel the
 * notification came, sealed so that only Perpdesk can have written it. It permits nothing: who acknowledges is signed in.
 */
export interface AcknowledgeLinks {
  /** Null if the event leaves nothing to acknowledge. */
  readonly pathOf: (event: AlertEvent, channel: string) => string | null;
  /** The channel of a link; null if the link is not about this alert. */
  readonly channelOf: (link: string, about: Incident) => string | null;
}

export function createAcknowledgeLinks(key: string, earlierKeys?: () => readonly string[]): AcknowledgeLinks {
  const { seal, open } = createSealedTexts(key, 'acknowledge link', earlierKeys);
  return {
    pathOf: (event, channel) => (isOpen(event) ? `${event.path}&acknowledge=${seal(channel, toOwner(event))}` : null),
    channelOf: (link, about) => open(link, toOwner(about)),
  };
}

function toOwner({ ruleId, group: subject, startedAt }: Incident): string {
  return JSON.stringify([ruleId, subject, startedAt]);
}
