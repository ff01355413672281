"use strict";
// The map that moves: takes the place of the picture once Leaflet and the points are there; without them the picture stays.
const box = document.getElementById("moving");
const say = box.dataset;
const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
const element = (name, text, className = "") => Object.assign(document.createElement(name), { textContent: text, className });
const clock = (minute) => [Math.floor(minute / 60) % 24, minute % 60].map((part) => String(part).padStart(2, "0")).join(":");

function card([, , name, town, page, masses], days) {
  const shown = element("div", "");
  shown.append(element("strong", name), element("p", town, "where"));
  const lines = new Map();
  for (const [minute, isAssumed] of masses) {
    const day = days[Math.floor(minute / 1440)];
    if (!lines.has(day)) lines.set(day, element("p", `${day}: `));
    const hour = element("time", clock(minute), isAssumed ? "assumed" : "");
    lines.get(day).append(hour, isAssumed ? ` (${say.assumed}) ` : " ");
  }
  shown.append(...lines.values());
  if (!masses.length) shown.append(element("p", say.unknown));
  shown.append(Object.assign(element("a", say.more), { href: say.page + page }));
  return shown;
}

// Without tiles the names of towns say where one is.
function named(shown, town) {
  if (!say.tiles) shown.append(Object.assign(element("span", town, "town"), { ariaHidden: "true" }));
  return shown;
}

function dot([, , , town, , masses]) {
  return L.divIcon({ html: named(element("div", ""), town), className: masses.length ? "church" : "church unknown", iconSize: [26, 26] });
}

function cluster(group) {
  const counts = new Map();
  for (const { town } of group.getAllChildMarkers().map((one) => one.options)) counts.set(town, (counts.get(town) || 0) + 1);
  const [largest] = [...counts].reduce((one, other) => (other[1] > one[1] ? other : one));
  const count = group.getChildCount();
  const shown = element("div", "");
  shown.append(Object.assign(element("span", count), { ariaHidden: "true" }), element("span", say.churches.replace("{n}", count), "hidden"));
  const size = count < 10 ? 32 : count < 100 ? 38 : 46;
  return L.divIcon({ html: named(shown, largest), className: "churches", iconSize: [size, size] });
}

// By keyboard: from a church to its card, and with Escape back to the church.
function goBack({ target, popup }) {
  const at = document.activeElement; // the body, once the card is gone
  if (at === document.body || popup.getElement().contains(at)) target.getElement()?.focus({ preventScroll: true });
}

async function begin() {
  const { churches, days, land } = await (await fetch(say.points)).json();
  box.hidden = document.getElementById("moving-note").hidden = false;
  document.querySelector("svg.map").remove();
  const map = L.map(box, { zoomControl: false, zoomSnap: say.tiles ? 1 : 0.25, minZoom: 5, maxZoom: say.tiles ? 18 : 15, zoomAnimation: !isStill, fadeAnimation: !isStill, markerZoomAnimation: !isStill });
  L.control.zoom({ zoomInTitle: say.closer, zoomOutTitle: say.farther }).addTo(map);
  map.attributionControl.setPrefix(false);
  if (say.tiles) L.tileLayer(say.tiles, { maxZoom: 18, attribution: element("span", say.attribution).outerHTML }).addTo(map);
  const outline = L.polygon(land, { interactive: false, className: say.tiles ? "outline bare" : "outline" }).addTo(map);
  map.fitBounds(outline.getBounds());
  map.setMaxBounds(outline.getBounds().pad(1));
  const points = churches.map((one) =>
    L.marker([one[0], one[1]], { icon: dot(one), town: one[3], title: one[3] ? `${one[3]}, ${one[2]}` : one[2] })
      .on("popupclose", goBack).bindPopup(() => card(one, days), { maxWidth: 230, autoPanPaddingTopLeft: [64, 12], autoPanPaddingBottomRight: [12, 12] }));
  L.markerClusterGroup({ animate: !isStill, showCoverageOnHover: false, maxClusterRadius: 80, iconCreateFunction: cluster, chunkedLoading: true })
    .addLayers(points).addTo(map);
  box.addEventListener("keydown", ({ key }) => key === "Escape" && map.closePopup());
  map.on("popupopen", ({ popup }) => {
    popup.getElement().querySelector(".leaflet-popup-close-button").setAttribute("aria-label", say.close);
    popup.getElement().querySelector("a[href^='/']").focus({ preventScroll: true });
  });
}
if (window.L && L.markerClusterGroup) begin();
