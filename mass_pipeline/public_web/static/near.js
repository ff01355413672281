"use strict";
// "Near me": asks the browser once, rounds to about 100 m, and goes to an address like any other. Nothing is kept.
const button = document.getElementById("near");
const note = document.getElementById("near-note");
if (button && navigator.geolocation) {
  button.hidden = false;
  note.hidden = "brief" in button.dataset;
  button.addEventListener("click", () => {
    button.disabled = true;
    navigator.geolocation.getCurrentPosition(
      (at) => {
        const asked = new URLSearchParams({ lat: at.coords.latitude.toFixed(3), lon: at.coords.longitude.toFixed(3) });
        const words = document.getElementById("q").value.trim();
        if (words) asked.set("q", words);
        location.href = `${button.dataset.url}?${asked}`;
      },
      () => {
        button.disabled = false;
        note.hidden = false;
        note.textContent = button.dataset.off;
      },
      { maximumAge: 60000, timeout: 15000 },
    );
  });
}
