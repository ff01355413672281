// Keys for people with a keyboard, and the next question without loading its page anew; without this script every button
// works the same, only slower.
"use strict";
document.addEventListener("keydown", function (event) {
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
  const tag = event.target && event.target.tagName;
  if (tag === "INPUT" || tag === "TEXTAREA" || tag === "SELECT") return;
  const key = event.key === "Backspace" ? event.key : event.key.replace(/[^0-9]/g, "");
  const button = document.querySelector('[data-key="' + key + '"]');
  if (!button || button.disabled) return;
  event.preventDefault();
  button.click();
});
// One press, one answer: a second press while the next page loads would answer a question nobody has read.
document.addEventListener("submit", function (event) {
  if (document.body.dataset.sent) return event.preventDefault();
  document.body.dataset.sent = "yes";
  if (!event.target.matches("form[data-quick]")) return;
  const fields = new URLSearchParams(new FormData(event.target));
  if (event.submitter && event.submitter.name) fields.set(event.submitter.name, event.submitter.value);
  event.preventDefault();
  send(event.target, fields, event.submitter);
});
window.addEventListener("pageshow", function () { delete document.body.dataset.sent; });

// The answer goes off as the form would send it, and comes back as the same page; only its question is put in place. Whatever
// is not the next question is left to the browser, as if there were no script.
async function send(form, fields, button) {
  let answer, text;
  try {
    const patience = AbortSignal.timeout && AbortSignal.timeout(15000);
    answer = await fetch(form.action, { method: "POST", body: fields, signal: patience });
    text = await answer.text();
  } catch (lost) {
    return location.assign(location.pathname); // stored or not: the server knows, and asks again where it is not
  }
  if (!answer.redirected && answer.status >= 400 && answer.status < 500) {
    form.removeAttribute("data-quick"); // refused, so nothing was stored: sent again in full, the browser shows why
    delete document.body.dataset.sent;
    return form.requestSubmit(button);
  }
  const isTask = answer.ok && new URL(answer.url).pathname === location.pathname;
  const page = isTask && new DOMParser().parseFromString(text, "text/html");
  if (!page || !page.getElementById("main")) return location.assign(answer.redirected ? answer.url : location.pathname);
  show(page);
  history.pushState(null, "", answer.url); // as many steps back as pages would make
  delete document.body.dataset.sent;
}

// The page is the server's, where crawled text is escaped; it is moved as a tree and never put together from text here.
function show(page) {
  document.title = page.title;
  document.documentElement.lang = page.documentElement.lang;
  for (const part of ["main", "footer"]) document.querySelector(part).replaceWith(document.adoptNode(page.querySelector(part)));
  window.scrollTo(0, 0);
  const heading = document.querySelector("h1");
  heading.tabIndex = -1; // where reading begins on a new page; never on a button, which a held key would press
  heading.focus({ preventScroll: true });
  const told = ["main .note", "#context"].map((name) => document.querySelector(name));
  document.getElementById("said").textContent = told.map((part) => (part ? part.textContent : "")).join(" ");
}
