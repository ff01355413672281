"use strict";
// Keeps the offline page, the style, and the last ten parish pages; what is shown from here says so on the offline page.
const PAGES = "pages-1";
const MOST = 10;
self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(PAGES).then((cache) => cache.add("/offline")));
});
async function keep(request, response) {
  const cache = await caches.open(PAGES);
  await cache.put(request, response);
  const kept = (await cache.keys()).filter((one) => one.url.includes("/parafia/"));
  for (const old of kept.slice(0, Math.max(0, kept.length - MOST))) await cache.delete(old);
}
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  const isKept = url.pathname.includes("/parafia/") || url.pathname.startsWith("/static/");
  event.respondWith(
    fetch(event.request).then((response) => {
      if (isKept && response.ok) event.waitUntil(keep(event.request, response.clone()));
      return response;
    }).catch(async () => (await caches.match(event.request)) || (await caches.match("/offline")) || Response.error()),
  );
});
