// The map that moves: takes the place of the picture once Leaflet, the ground and the points are there; without them it stays.
const box = document.getElementById("moving");
const list = document.getElementById("map-list");
const town = document.getElementById("map-town");
const chosenDay = document.getElementById("map-day");
const say = box.dataset;
const LISTED = 40; // churches beside the map
const NEAR = 13; // zoom from which points tell their hour
const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
const element = (name, text, className = "") => Object.assign(document.createElement(name), { textContent: text, className });
const clock = (minute) => [Math.floor(minute / 60) % 24, minute % 60].map((part) => String(part).padStart(2, "0")).join(":");
const fold = (text) => text.toLowerCase().replaceAll("ł", "l").normalize("NFD").replace(/\p{M}/gu, "").trim();
const pairs = (line) => Array.from({ length: line.length / 2 }, (_, at) => [line[2 * at], line[2 * at + 1]]);

function card([, , name, place, page, masses], days) {
  const shown = element("div", "");
  shown.append(element("strong", name), element("p", place, "where"));
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
function named(shown, place) {
  if (!say.tiles) shown.append(Object.assign(element("span", place, "town"), { ariaHidden: "true" }));
  return shown;
}

function dot([, , , place, , masses]) {
  const shown = named(element("div", ""), place);
  if (masses.length) shown.append(Object.assign(element("b", clock(masses[0][0])), { ariaHidden: "true" }));
  return L.divIcon({ html: shown, className: masses.length ? "church" : "church unknown", iconSize: [26, 26] });
}

const people = new Map(); // of the towns of the ground

function cluster(group) {
  const counts = new Map();
  for (const { place } of group.getAllChildMarkers().map((one) => one.options)) counts.set(place, (counts.get(place) || 0) + 1);
  const weight = ([name, churches]) => (people.get(name) ?? 0) * 1000 + churches; // the town that one knows
  const [largest] = [...counts].reduce((one, other) => (weight(other) > weight(one) ? other : one));
  const count = group.getChildCount();
  const shown = element("div", "");
  shown.append(Object.assign(element("span", count), { ariaHidden: "true" }), element("span", say.churches.replace("{n}", count), "hidden"));
  const size = count < 10 ? 32 : count < 100 ? 38 : 46;
  return L.divIcon({ html: named(shown, largest), className: "churches", iconSize: [size, size] });
}

// By keyboard: from a church to its card, and with Escape back to the church.
function goBack({ target, popup }) {
  const at = document.activeElement; // the body, once the card is gone
  if (at === document.body || popup.getElement()?.contains(at)) target.getElement()?.focus({ preventScroll: true });
}

const asked = async (url) => (await fetch(url)).json();

function drawGround(map, ground) {
  const drawn = (line, className, shape = L.polygon) => shape(pairs(line), { interactive: false, className }).addTo(map);
  const lands = Object.values(ground.lands).map((line) => drawn(line, say.tiles ? "outline bare" : "outline"));
  if (!say.tiles) {
    ground.lakes.forEach((line) => drawn(line, "water lake"));
    ground.rivers.forEach((line) => drawn(line, "water", L.polyline));
  }
  return L.featureGroup(lands).getBounds();
}

function markers(churches, days) {
  return churches.map((one) =>
    L.marker([one[0], one[1]], { icon: dot(one), place: one[3], church: one, title: one[3] ? `${one[3]}, ${one[2]}` : one[2] })
      .on("popupclose", goBack).bindPopup(() => card(one, days), { maxWidth: 230, autoPanPaddingTopLeft: [64, 12], autoPanPaddingBottomRight: [12, 12] }));
}

// The churches that the map shows, soonest first.
function listed(map, churches, days) {
  const bounds = map.getBounds();
  const seen = churches.filter((one) => one[5].length && bounds.contains([one[0], one[1]])).sort((one, other) => one[5][0][0] - other[5][0][0]);
  list.replaceChildren(...seen.slice(0, LISTED).map((one) => {
    const line = element("li", "");
    line.append(element("b", `${days[Math.floor(one[5][0][0] / 1440)]} ${clock(one[5][0][0])} `), Object.assign(element("a", `${one[3]}, ${one[2]}`), { href: say.page + one[4] }));
    return line;
  }));
}

async function begin() {
  let [{ churches, days }, ground] = await Promise.all([asked(say.points), asked(say.ground)]);
  document.getElementById("map-tools").hidden = box.hidden = list.hidden = document.getElementById("moving-note").hidden = false;
  document.querySelector("svg.map").remove();
  const map = L.map(box, { zoomControl: false, zoomSnap: say.tiles ? 1 : 0.25, minZoom: 5, maxZoom: say.tiles ? 18 : 16, zoomAnimation: !isStill, fadeAnimation: !isStill, markerZoomAnimation: !isStill });
  L.control.zoom({ zoomInTitle: say.closer, zoomOutTitle: say.farther }).addTo(map);
  map.attributionControl.setPrefix(false);
  if (say.tiles) L.tileLayer(say.tiles, { maxZoom: 18, attribution: element("span", say.attribution).outerHTML }).addTo(map);
  else map.attributionControl.addAttribution(ground.source);
  const bounds = drawGround(map, ground);
  for (const [, , name, count] of ground.towns) people.set(name, count);
  const group = L.markerClusterGroup({ animate: !isStill, showCoverageOnHover: false, maxClusterRadius: 80, iconCreateFunction: cluster, chunkedLoading: true });
  // The state is in the address: #zoom/latitude/longitude/day.
  const [zoom, latitude, longitude, day] = location.hash.slice(1).split("/");
  if (Number(zoom) && Number(latitude) && Number(longitude)) map.setView([Number(latitude), Number(longitude)], Number(zoom));
  else map.fitBounds(bounds);
  map.setMaxBounds(bounds.pad(1));
  const tell = () => {
    const at = map.getCenter();
    const parts = [map.getZoom(), at.lat.toFixed(4), at.lng.toFixed(4), ...(chosenDay.value ? [chosenDay.value] : [])];
    history.replaceState(null, "", `#${parts.join("/")}`);
    box.classList.toggle("near", map.getZoom() >= NEAR);
    listed(map, churches, days);
  };
  const show = () => group.clearLayers().addLayers(markers(churches, days));
  const load = async () => {
    ({ churches, days } = await asked(chosenDay.value ? `${say.points}?dzien=${chosenDay.value}` : say.points));
    if (chosenDay.value) churches = churches.filter((one) => one[5].length);
    show();
    tell();
  };
  group.addTo(map);
  if ([...chosenDay.options].some((option) => option.value && option.value === day)) {
    chosenDay.value = day;
    await load();
  } else {
    chosenDay.value = "";
    show();
    box.classList.toggle("near", map.getZoom() >= NEAR);
    listed(map, churches, days);
  }
  map.on("moveend", tell);
  chosenDay.addEventListener("change", load);
  document.getElementById("map-tools").addEventListener("submit", (event) => {
    event.preventDefault();
    const wanted = fold(town.value);
    const found = churches.filter((one) => wanted && fold(one[3]) === wanted);
    const begun = found.length ? found : churches.filter((one) => wanted && fold(one[3]).startsWith(wanted));
    if (begun.length) map.fitBounds(L.latLngBounds(begun.map((one) => [one[0], one[1]])), { maxZoom: 15 });
    town.setAttribute("aria-invalid", String(!begun.length));
  });
  document.getElementById("map-me").addEventListener("click", () => map.locate({ setView: true, maxZoom: 14 }));
  map.on("locationfound", ({ latlng }) => L.circleMarker(latlng, { radius: 8, className: "me", interactive: false }).addTo(map));
  box.addEventListener("keydown", ({ key }) => key === "Escape" && map.closePopup());
  map.on("popupopen", ({ popup }) => {
    popup.getElement().querySelector(".leaflet-popup-close-button").setAttribute("aria-label", say.close);
    popup.getElement().querySelector("a[href^='/']").focus({ preventScroll: true });
  });
}
if (window.L && L.markerClusterGroup) begin();
