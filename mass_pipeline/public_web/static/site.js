// What pages can do better with scripts; without them each stays whole. Nothing leaves the device but what an address shows.
const one = (id) => document.getElementById(id);

// "Near me": asks the browser once, rounds to about 100 m, and goes to an address like any other.
const near = one("near");
if (near && navigator.geolocation) {
  near.hidden = false;
  if (one("near-hint")) one("near-hint").hidden = false;
  near.addEventListener("click", () => {
    near.disabled = true;
    navigator.geolocation.getCurrentPosition(
      (at) => {
        const asked = new URLSearchParams({ lat: at.coords.latitude.toFixed(3), lon: at.coords.longitude.toFixed(3) });
        const words = near.form.q.value.trim();
        if (words && words !== near.form.q.defaultValue) asked.set("q", words);
        location.href = `${near.dataset.url}?${asked}`;
      },
      () => {
        near.disabled = false;
        one("near-note").hidden = false;
        one("near-note").textContent = near.dataset.off;
      },
      { maximumAge: 60000, timeout: 15000 },
    );
  });
}

// Towns for the last words that are typed; the rest of the question stays.
const list = one("places");
if (list) {
  let waits = 0, last = "";
  one("q").addEventListener("input", ({ target }) => {
    clearTimeout(waits);
    const [before, word] = target.value.match(/^(.*\s)?(\S{3,})$/)?.slice(1) ?? [];
    if (!word || word === last || [...list.options].some((option) => option.value === target.value)) return;
    waits = setTimeout(async () => {
      last = word;
      const answer = await fetch(`/api/v1/places?q=${encodeURIComponent(word)}`);
      if (!answer.ok) return;
      const { places } = await answer.json();
      list.replaceChildren(...places.slice(0, 6).map(({ name, voivodeship }) => new Option(voivodeship ?? "", `${before ?? ""}${name}${before ? "" : `, ${voivodeship}`}`)));
    }, 250);
  });
}

// The last town, where somebody wants it remembered: on this device alone.
const TOWN = "town";
const remember = one("remember");
if (remember) {
  const { key, name, done } = remember.dataset;
  remember.hidden = JSON.parse(localStorage.getItem(TOWN))?.key === key;
  remember.addEventListener("click", () => {
    localStorage.setItem(TOWN, JSON.stringify({ key, name }));
    remember.textContent = done;
    remember.disabled = true;
  });
}
const row = one("last");
const town = row && JSON.parse(localStorage.getItem(TOWN));
if (town) {
  const { root, days, forget, today, tomorrow, sunday } = row.dataset;
  const chip = (text, href) => Object.assign(document.createElement("a"), { className: "chip", textContent: text, href });
  const off = Object.assign(document.createElement("button"), { className: "chip", textContent: forget, type: "button" });
  off.addEventListener("click", () => (localStorage.removeItem(TOWN), (row.hidden = true)));
  const of = (day) => `${root}/msze?miejsce=${encodeURIComponent(town.key)}&dzien=${day}`;
  row.append(chip(town.name, `${root}/miejscowosc/${town.key}`), ...days.split(" ").map((day, at) => chip([today, tomorrow, sunday][at], of(day))), off);
  row.hidden = false;
}

// A link holds the date, not "tomorrow": it is shared as it stands, or copied.
for (const link of document.querySelectorAll("[data-share]")) {
  link.addEventListener("click", async (event) => {
    if (!navigator.share && !navigator.clipboard) return;
    event.preventDefault();
    if (navigator.share) await navigator.share({ title: document.title, url: link.href }).catch(() => {});
    else await navigator.clipboard.writeText(link.href).then(() => link.append(" ✓"));
  });
}
