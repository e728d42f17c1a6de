/** Where calls may go: addresses and recipients that the settings name. */
export type ChannelSettings = WebhookSettings | MailSettings;

export interface WebhookSettings {
  readonly name: string;
  /** By the rules of Standard Webhooks, or the bodies that Slack and PagerDuty take. */
  readonly kind: 'standard' | 'slack' | 'pagerduty';
  /** May be a secret itself. */
  readonly url: string;
  /** What a Standard Webhook is signed with, or the routing key of PagerDuty; empty for Slack. */
  readonly secret: string;
  /** The setting says that it leads into a private network. */
  readonly allowsPrivate: boolean;
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
  /** From the first byte on; otherwise by STARTTLS, which only a server of this machine need not have. */
  readonly isTls: boolean;
  readonly login: { readonly user: string; readonly password: string } | null;
  readonly allowsPrivate: boolean;
}
