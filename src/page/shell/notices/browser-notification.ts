/** The service worker in `public/`, which shows notifications where a page cannot. */
const WORKER = '/notifications.js';

interface BrowserNotification {
  readonly title: string;
  readonly body: string;
  /** A later notification of the same tag replaces it, and alerts the person again. */
  readonly tag: string;
  /** The path that a click opens. */
  readonly path: string;
}

/** Shows a notification if the person has allowed it. `open` is called on a click. */
export async function showNotification(
  { title, body, tag, path }: BrowserNotification,
  open: (path: string) => void,
): Promise<void> {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return;
  const options: NotificationOptions & { readonly renotify: boolean } = { body, tag, renotify: true };
  try {
    const notification = new Notification(title, options);
    notification.onclick = () => {
      window.focus();
      open(path);
      notification.close();
    };
  } catch (error) {
    // Browsers on Android throw it, and leave notifications to service workers.
    if (!(error instanceof TypeError)) throw error;
    await navigator.serviceWorker.register(WORKER);
    const worker = await navigator.serviceWorker.ready;
    await worker.showNotification(title, { ...options, data: { path } });
  }
}

/** Calls `open` when a notification of the service worker was clicked. Returns a function that ends this. */
export function onOpened(open: (path: string) => void): () => void {
  // Browsers offer service workers, like notifications, only over https or on this machine.
  if (!('serviceWorker' in navigator)) return () => undefined;
  const { serviceWorker } = navigator;
  const take = ({ data }: MessageEvent<{ readonly path?: unknown } | null>): void => {
    if (typeof data?.path === 'string') open(data.path);
  };
  serviceWorker.addEventListener('message', take);
  return () => {
    serviceWorker.removeEventListener('message', take);
  };
}
