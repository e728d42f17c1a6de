// A service worker only for notifications: Android shows none of a page, and a click must find the page again.
self.addEventListener('notificationclick', (event) => {
  const { notification } = event;
  const { path } = notification.data;
  notification.close();
  const open = async () => {
    const [page] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
    if (page === undefined) await self.clients.openWindow(path);
    else {
      await page.focus();
      page.postMessage({ path });
    }
  };
  event.waitUntil(open());
});
