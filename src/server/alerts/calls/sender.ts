import type { GatewayPorts } from '#server/core/ports.ts';
import type { Resolve } from './addresses.ts';
import type { Call } from './lines.ts';
import type { SendResult } from './send-result.ts';

/** Sends calls to one channel. */
export interface Sender {
  readonly host: string;
  /** How many events one call may have. */
  readonly mostEvents: number;
  /** Rejects only where the signal is aborted: whether the call arrived is then unknown. */
  readonly send: (call: Call, signal: AbortSignal) => Promise<SendResult>;
}

export interface SenderParts extends Pick<GatewayPorts, 'now' | 'schedule'> {
  /** Where a browser reaches this desk; null where none can. */
  readonly deskUrl: () => string | null;
  readonly resolve?: Resolve | undefined;
}
