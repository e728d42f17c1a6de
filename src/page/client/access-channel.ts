/** Pages of one browser have the same session: what one does with it, the others are to follow. */
export const ACCESS_CHANNEL = 'perpdesk.access';

/** Has all other pages of this browser read again who is signed in. */
export function announceAccess(): void {
  const channel = new BroadcastChannel(ACCESS_CHANNEL);
  channel.postMessage('changed');
  channel.close();
}
