import { expect, onTestFinished, test, vi } from 'vitest';
import { onOpened, showNotification } from './browser-notification.ts';

const SHOWN = { title: 'Many orders (warning)', body: '', tag: 'alerts', path: '/rules?alert=many' };

test('where a page may show no notification, the service worker does, and a click opens the alert', async () => {
  vi.stubGlobal(
    'Notification',
    class {
      static readonly permission = 'granted';
      constructor() {
        throw new TypeError('Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.');
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  const shown: unknown[] = [];
  const container = Object.assign(new EventTarget(), {
    register: vi.fn(() => Promise.resolve()),
    ready: Promise.resolve({ showNotification: (...given: unknown[]) => Promise.resolve(void shown.push(given)) }),
  });
  vi.spyOn(navigator, 'serviceWorker', 'get').mockReturnValue(container as unknown as ServiceWorkerContainer);
  onTestFinished(() => void vi.restoreAllMocks());
  const opened: string[] = [];
  const end = onOpened((path) => void opened.push(path));
  await showNotification(SHOWN, () => undefined);
  expect(container.register).toHaveBeenCalledWith('/notifications.js');
  expect(shown).toEqual([
    [SHOWN.title, { body: '', tag: 'alerts', renotify: true, data: { path: '/rules?alert=many' } }],
  ]);
  container.dispatchEvent(new MessageEvent('message', { data: { path: '/rules?alert=many' } }));
  expect(opened).toEqual(['/rules?alert=many']);
  end();
  container.dispatchEvent(new MessageEvent('message', { data: { path: '/rules?alert=other' } }));
  expect(opened).toHaveLength(1);
});
