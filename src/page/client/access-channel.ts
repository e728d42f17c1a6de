/** All pages of one browser share a sign-in session, so they must learn when one of them changes it. */
export const ACCESS_CHANNEL = 'perpdesk.access';

/** Makes all other pages of this browser read again who is signed in. */
export function announceAccess(): void {
  const channel = new BroadcastChannel(ACCESS_CHANNEL);
  channel.postMessage('changed');
  channel.close();
}
