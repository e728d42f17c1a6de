/** A destination of notifications: addresses and recipients from the settings. */
export type ChannelSettings = WebhookSettings | MailSettings;

export interface WebhookSettings {
  readonly name: string;
  /** Standard Webhooks, or the message formats of Slack and PagerDuty. */
  readonly kind: 'standard' | 'slack' | 'pagerduty';
  /** May itself be a secret. */
  readonly url: string;
  /** The signing secret of a Standard Webhook, or the routing key of PagerDuty; empty for Slack. */
  readonly secret: string;
  /** Whether the settings allow an address in a private network. */
  readonly allowsPrivate: boolean;
}

/** The address that is requested at regular intervals while Perpdesk works. */
export interface HeartbeatSettings {
  /** May itself be a secret. */
  readonly url: string;
  readonly everySeconds: number;
}

export interface MailSettings {
  readonly name: string;
  readonly kind: 'mail';
  readonly server: SmtpServer;
  readonly from: string;
  readonly to: readonly string[];
}

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /**
   * Whether TLS begins with the first byte; otherwise STARTTLS is used, which is optional only for a server on this
   * machine.
   */
  readonly isTls: boolean;
  readonly login: { readonly user: string; readonly password: string } | null;
  readonly allowsPrivate: boolean;
}
