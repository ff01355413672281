// Keys for people with a keyboard; without this script every button works the same.
"use strict";
document.addEventListener("keydown", function (event) {
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
  var tag = event.target && event.target.tagName;
  if (tag === "INPUT" || tag === "TEXTAREA" || tag === "SELECT") return;
  var button = document.querySelector('[data-key="' + (event.key === "Backspace" ? "Backspace" : event.key.replace(/[^0-9]/g, "")) + '"]');
  if (!button || button.disabled) return;
  event.preventDefault();
  button.click();
});
// One press, one answer: a second press while the next page loads would answer a question nobody has read.
document.addEventListener("submit", function (event) {
  if (document.body.dataset.sent) event.preventDefault();
  document.body.dataset.sent = "yes";
});
window.addEventListener("pageshow", function () { delete document.body.dataset.sent; });
